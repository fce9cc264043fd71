import { isSameIssuer } from '../../core/oauth/metadata.js';
import { mergeScopes } from '../../core/oauth/scope.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import { CachedPromise } from '../../core/async/promises.js';
import type { AuthorizationChallenge } from './authorization-headers.js';
import type { CredentialStore } from './credentials/credential-store.js';
import { normalizeServerUrl } from './credentials/credential-key.js';
import { FileCredentialStore } from './credentials/file-credential-store.js';
import {
  discoverMcpAuth,
  isAssumed,
  selectExpectedIssuer,
  type McpAuthInfo,
} from './discovery/discover-mcp-auth.js';
import {
  InsecureEndpointError,
  IssuerMismatchError,
  NoAuthorizationServerError,
  NoTokenYetError,
} from './errors.js';
import { createClientHttp } from './client-http.js';
import type { ClientHttp } from './client-http.interface.js';
import { isFresh, ProofKeys, recallTokens, type AcquiredTokens } from './login/stored-tokens.js';
import { assertAuthorizationParameters } from './login/authorization-request.js';
import { OAUTH_TOKEN_SOURCE, type OAuthTokenSourceOptions } from './login/login-options.js';
import { assertLoopbackRedirect } from './login/loopback/loopback-authorizer.js';
import { RefusedLogins, TokenHistory } from './login/login-history.js';
import { TokenAcquirer } from './login/token-acquirer.js';
import { Registrar } from './registration/registrar.js';
import { SingleFlight } from './token-provider.js';
import { checked } from './source-options.js';
import { warnOfUnsafeOptions } from './unsafe-options.js';
import type { RequestProof, TokenSource } from './token-source.js';

/**
 * Gets tokens by having the user log in with a browser. A login starts only when the server requires a token, and
 * earlier logins are used for as long as they can be refreshed. A login for more scopes also requests all earlier
 * ones. All waiting callers share one login, including other processes with the same store.
 *
 * @example
 * const tokenSource = new OAuthTokenSource({ serverUrl: 'https://desk.example.com/mcp' });
 * const fetch = createAuthorizedFetch({ serverUrl: 'https://desk.example.com/mcp', tokenSource });
 *
 * @see MCP 2026-07-28 basic/authorization, RFC 8252
 */
export class OAuthTokenSource implements TokenSource {
  readonly #serverUrl: string;
  readonly #options: OAuthTokenSourceOptions;
  readonly #store: CredentialStore;
  readonly #http: ClientHttp;
  readonly #registrar: Registrar;
  readonly #proofs: ProofKeys;
  readonly #history = new TokenHistory();
  readonly #refusedLogins: RefusedLogins;
  readonly #flights = new SingleFlight<string>();
  readonly #acquirer = new CachedPromise<TokenAcquirer>(() => this.#discover());
  #challenge: AuthorizationChallenge | undefined;
  #held: AcquiredTokens | undefined;
  #recalled: Promise<void> | undefined;
  /** The issuer of the recalled token. */
  #recalledIssuer: string | undefined;
  /** Scopes that were requested before the server named its issuer. */
  #missingScopes: readonly string[] = [];

  /**
   * @throws {InsecureEndpointError} if tokens would be sent over `http` to another machine
   * @throws {TypeError} if an option is invalid: `clientMetadataUrl` cannot be an id, the browser could not return to
   * `redirectUri`, or `authorizationParameters` contains a parameter that the login sets itself
   */
  constructor(options: OAuthTokenSourceOptions) {
    const { loginPauseMs } = OAUTH_TOKEN_SOURCE.build(checked(OAUTH_TOKEN_SOURCE, options));
    const { store = new FileCredentialStore(), signal } = options;
    this.#serverUrl = parseServerUrl(options);
    if (options.authorizer === undefined) assertLoopbackRedirect(options.redirectUri);
    assertAuthorizationParameters(options.authorizationParameters);
    this.#options = options;
    this.#store = store;
    const http = createClientHttp({ ...options, serverUrl: this.#serverUrl });
    this.#http = (url, request) => http(url, { ...request, signal: request?.signal ?? signal });
    const parts = { serverUrl: this.#serverUrl, options, store, http: this.#http };
    this.#registrar = new Registrar(parts);
    this.#proofs = new ProofKeys(options.dpop);
    this.#refusedLogins = new RefusedLogins(loginPauseMs);
    warnOfUnsafeOptions(options);
  }

  get proof(): RequestProof | undefined {
    return this.#held?.proof;
  }

  async token(): Promise<string> {
    const held = this.#held;
    if (held === undefined) throw new NoTokenYetError();
    if (isFresh(held.tokens)) return held.tokens.accessToken;
    return this.#flights.run('renew', () => this.#renew());
  }

  async recall(): Promise<string | undefined> {
    if (this.#challenge !== undefined) return undefined;
    this.#recalled ??= this.#recall();
    await this.#recalled;
    const tokens = this.#held?.tokens;
    return tokens !== undefined && isFresh(tokens) ? tokens.accessToken : undefined;
  }

  async tokenForScopes(scopes: readonly string[]): Promise<string> {
    const wanted = mergeScopes(
      this.#missingScopes,
      scopes.length === 0 ? (this.#challenge?.scopes ?? []) : scopes,
    );
    this.#missingScopes = [];
    const name = `scopes ${[...wanted].toSorted().join(' ')}`;
    return this.#flights.run(name, async () => {
      const acquirer = await this.#acquirer.get().catch((error: unknown) => {
        if (error instanceof NoTokenYetError) this.#forgetRecalled(wanted);
        throw error;
      });
      return this.#hold(await acquirer.get(wanted));
    });
  }

  async respond(challenge: AuthorizationChallenge): Promise<void> {
    const { status, refusedToken, error } = challenge;
    this.#challenge = challenge;
    const isInvalid = status === 401 && error === 'invalid_token';
    if (refusedToken !== undefined) this.#history.refuse(refusedToken, { status, isInvalid });
    if (status !== 401) return;
    const acquirer = this.#acquirer.current;
    // The server may have switched to another authorization server.
    this.#acquirer.forget();
    if (refusedToken === undefined || this.#held?.tokens.accessToken !== refusedToken) return;
    this.#held = undefined;
    await (await acquirer)?.end(refusedToken);
  }

  confirm(token: string): void {
    this.#history.confirm(token);
  }

  /** A failure here is not reported, because it recurs and reaches the caller when the server requires a token. */
  async #recall(): Promise<void> {
    const parts = {
      serverUrl: this.#serverUrl,
      options: this.#options,
      store: this.#store,
      registrar: this.#registrar,
      proofs: this.#proofs,
    };
    const found = await recallTokens(parts).catch(() => undefined);
    // The server may have required a token in the meantime.
    if (found === undefined || this.#challenge !== undefined || this.#held !== undefined) return;
    this.#held = found;
    this.#recalledIssuer = found.issuer;
  }

  /** A login that cannot be refreshed is discarded. The server's next challenge starts another. */
  async #renew(): Promise<string> {
    const isAsked = this.#challenge !== undefined || this.#acquirer.current !== undefined;
    const renewed = isAsked ? await (await this.#acquirer.get()).renew() : undefined;
    if (renewed !== undefined) return this.#hold(renewed);
    this.#held = undefined;
    throw new NoTokenYetError();
  }

  /** Without a token, the server responds with a challenge that names its issuer. The next token includes the missing scopes. */
  #forgetRecalled(missing: readonly string[]): void {
    this.#held = undefined;
    this.#missingScopes = missing;
  }

  #hold(acquired: AcquiredTokens): string {
    this.#held = acquired;
    return acquired.tokens.accessToken;
  }

  /**
   * Returns whether a server with metadata was mistaken for a 2025-03-26 server. This happens if it was never called
   * without a token and so has not named its metadata URL.
   */
  #isMisdirected({ legacyDiscovery, authorizationServer }: McpAuthInfo): boolean {
    const { status, resourceMetadataUrl } = this.#challenge ?? {};
    const isUntold = status === 403 && resourceMetadataUrl === undefined && legacyDiscovery;
    const recalled = this.#recalledIssuer;
    return isUntold && recalled !== undefined && recalled !== authorizationServer.issuer;
  }

  async #discover(): Promise<TokenAcquirer> {
    const { issuer, ignoreIssuerSlash } = this.#options;
    // If an issuer is configured, no other issuer's metadata is fetched.
    const selectOwn = (issuers: readonly string[]) =>
      selectExpectedIssuer(issuer, issuers, ignoreIssuerSlash);
    const info = await discoverMcpAuth(this.#serverUrl, {
      ...this.#options,
      selectIssuer: this.#options.selectIssuer ?? selectOwn,
      challenge: this.#challenge,
    });
    if (this.#isMisdirected(info)) throw new NoTokenYetError();
    const found = info.authorizationServer.issuer;
    if (issuer !== undefined && !isSameIssuer(issuer, found, ignoreIssuerSlash)) {
      if (isAssumed(info)) throw new NoAuthorizationServerError(this.#serverUrl);
      throw new IssuerMismatchError(issuer, found);
    }
    return new TokenAcquirer({
      serverUrl: this.#serverUrl,
      info,
      options: this.#options,
      store: this.#store,
      registrar: this.#registrar,
      http: this.#http,
      history: this.#history,
      proofs: this.#proofs,
      refusedLogins: this.#refusedLogins,
    });
  }
}

function parseServerUrl({ serverUrl, insecureHosts }: OAuthTokenSourceOptions): string {
  if (!isSecureUrl(String(serverUrl), insecureHosts))
    throw new InsecureEndpointError(String(serverUrl), 'serverUrl');
  return normalizeServerUrl(String(serverUrl));
}
