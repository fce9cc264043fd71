import { isMoved, isTransientStatus } from '../../../core/oauth/http-status.js';
import type { CredentialKey, CredentialStore, StoredCredentials } from '../credentials/credential-store.js';
import { isAssumed, type McpAuthInfo } from '../discovery/discover-mcp-auth.js';
import type { DpopProof } from '../dpop.js';
import {
  LoginRefusedError,
  NoAuthorizationServerError,
  RegistrationUnavailableError,
  TokenRequestRefusedError,
} from '../errors.js';
import type { ClientHttp } from '../client-http.interface.js';
import type { Registrar } from '../registration/registrar.js';
import {
  buildStoredTokens,
  isFresh,
  reuseTokens,
  type AcquiredTokens,
  type ProofKeys,
} from './stored-tokens.js';
import { assertLoginUseful, type RefusedLogins, type TokenHistory } from './login-history.js';
import { InteractiveLogin } from './interactive-login.js';
import { LOGIN_TIMEOUT_MS, type OAuthTokenSourceOptions } from './login-options.js';
import { refreshTokens } from './request-tokens.js';
import { selectScopes } from './authorization-request.js';

/** Errors that end a grant: the user must log in again. */
const ENDS_GRANT: ReadonlySet<string> = new Set([
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
]);

/** Errors that do not end it, regardless of the status. */
const KEEPS_GRANT: ReadonlySet<string> = new Set([
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_response',
  'server_error',
  'slow_down',
  'temporarily_unavailable',
  'use_dpop_nonce',
]);

/**
 * Returns whether a refusal ends the grant. Endpoints have many codes for that, so any unknown code counts: otherwise
 * the same refresh would fail each time, and the user could never log in again.
 */
function isGrantOver({ error, status }: TokenRequestRefusedError): boolean {
  return ENDS_GRANT.has(error) || !(KEEPS_GRANT.has(error) || isTransientStatus(status) || isMoved(status));
}

/** What getting tokens depends on. */
export interface AcquirerParts {
  readonly serverUrl: string;
  readonly info: McpAuthInfo;
  readonly options: OAuthTokenSourceOptions;
  readonly store: CredentialStore;
  readonly registrar: Registrar;
  readonly http: ClientHttp;
  readonly history: TokenHistory;
  readonly proofs: ProofKeys;
  readonly refusedLogins: RefusedLogins;
}

/** The result of a store lookup. */
interface Lookup {
  /** The scopes to request, if no tokens were found. */
  readonly scopes: readonly string[];
  readonly found: AcquiredTokens | undefined;
}

/** Milliseconds to wait for the lock, in addition to the time that a login may take. */
const MARGIN_MS = 60_000;

/**
 * Gets one authorization server's tokens for one server: stored, refreshed or from a login. Processes that share the
 * store do this one at a time, and find the first one's tokens.
 */
export class TokenAcquirer {
  readonly #key: CredentialKey;
  readonly #login: InteractiveLogin;
  readonly #resource: string;

  constructor(private readonly parts: AcquirerParts) {
    const { serverUrl, info } = parts;
    const { authorizationServer, prm } = info;
    this.#key = { serverUrl, issuer: authorizationServer.issuer };
    this.#resource = prm?.resource ?? serverUrl;
    this.#login = new InteractiveLogin({
      ...parts,
      authorizationServer,
      resource: this.#resource,
      update: (change) => this.#update(change),
    });
  }

  /**
   * Gets tokens that have scopes, or were requested with them.
   *
   * @throws {LoginIneffectiveError} if a login that did not obtain them ended a moment ago
   * @throws {LoginRefusedError} if such a login was refused
   */
  async get(challenged: readonly string[]): Promise<AcquiredTokens> {
    const { found, scopes } = await this.#lookup(challenged);
    if (found !== undefined) return found;
    const { serverUrl, issuer } = this.#key;
    this.parts.refusedLogins.assertNone(issuer, scopes);
    // A login is slow, so a separate lock lets refreshes continue in the meantime.
    return this.#exclusively({ serverUrl, issuer: `${issuer}#login` }, async () => {
      // An earlier login may already have obtained the scopes.
      const now = await this.#lookup(scopes);
      return now.found ?? this.#logIn(now.scopes);
    });
  }

  /** Refreshes expired tokens. Returns `undefined` if a login is required. */
  renew(): Promise<AcquiredTokens | undefined> {
    return this.#alone(async () => this.#reuse(await this.#read(), []));
  }

  /** Records that an access token has ended early, also for other processes that share the store. */
  end(accessToken: string): Promise<void> {
    return this.#alone(async () => {
      const stored = await this.#read();
      if (stored.tokens?.accessToken !== accessToken) return;
      const isUntaken = this.parts.history.isLoginUntaken === true;
      const tokens = { ...stored.tokens, expiresAtMs: 0, ...(isUntaken && { isUntaken }) };
      await this.parts.store.set(this.#key, { ...stored, tokens });
    });
  }

  #lookup(challenged: readonly string[]): Promise<Lookup> {
    return this.#alone(async () => {
      const stored = await this.#read();
      const scopes = this.#selectScopes(stored, challenged);
      const found = await this.#reuse(stored, scopes);
      if (found !== undefined) return { scopes, found };
      const { history, options } = this.parts;
      const { loginPauseMs: pauseMs } = options;
      assertLoginUseful({ key: this.#key, tokens: stored.tokens, scopes, challenged, history, pauseMs });
      return { scopes, found };
    });
  }

  #update(change: (stored: StoredCredentials) => StoredCredentials | undefined): Promise<void> {
    const { store } = this.parts;
    return this.#alone(async () => {
      const stored = (await store.get(this.#key)) ?? {};
      const changed = change(stored);
      if (changed === stored) return;
      await (changed === undefined ? store.delete(this.#key) : store.set(this.#key, changed));
    });
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#exclusively(this.#key, work);
  }

  #exclusively<Result>(key: CredentialKey, work: () => Promise<Result>): Promise<Result> {
    const { loginTimeoutMs = LOGIN_TIMEOUT_MS, signal } = this.parts.options;
    const waitMs = loginTimeoutMs + MARGIN_MS;
    return this.parts.store.exclusively(key, work, { waitMs, ...(signal && { signal }) });
  }

  /** Another client's credentials cannot be used. */
  async #read(): Promise<StoredCredentials> {
    const { store, registrar } = this.parts;
    const stored = (await store.get(this.#key)) ?? {};
    const { registration } = stored;
    return registration !== undefined && registrar.isOfClient(registration) ? stored : {};
  }

  #selectScopes({ tokens }: StoredCredentials, challenged: readonly string[]): readonly string[] {
    const { info, options, history } = this.parts;
    const ofResource = info.prm?.scopes_supported;
    const isShort = tokens !== undefined && history.findRefusal(tokens.accessToken)?.status === 403;
    return selectScopes({
      // If the server refuses the token without naming scopes, request all that its metadata lists.
      challenged: challenged.length === 0 && isShort ? (ofResource ?? []) : challenged,
      configured: options.scopes ?? [],
      requested: tokens?.requestedScopes ?? [],
      ofResource,
      ofAuthorizationServer: info.authorizationServer.scopes_supported,
    });
  }

  async #reuse(stored: StoredCredentials, scopes: readonly string[]): Promise<AcquiredTokens | undefined> {
    const { history, proofs } = this.parts;
    const refusal = stored.tokens && history.findRefusal(stored.tokens.accessToken);
    // Refresh an expired token before asking the user for more scopes.
    const usable = await reuseTokens(stored, refusal?.isInvalid === true ? [] : scopes, proofs);
    if (usable === undefined) return undefined;
    const { tokens, proof } = usable;
    if (refusal === undefined && isFresh(tokens)) return usable;
    // Refreshing never adds scopes, so missing scopes require a login. Other calls still use this token.
    if (refusal?.status === 403 && isFresh(tokens)) return undefined;
    if (refusal?.status === 401 && history.isRejectedAfterRefresh(tokens.accessToken)) return undefined;
    return this.#refresh(stored, proof);
  }

  async #refresh(
    stored: StoredCredentials,
    proof: DpopProof | undefined,
  ): Promise<AcquiredTokens | undefined> {
    const { info, registrar, http, store, history, options } = this.parts;
    const { tokens: before, registration } = stored;
    if (before?.refreshToken === undefined || registration === undefined) return undefined;
    const { authorizationServer } = info;
    const { insecureHosts } = options;
    const shared = { authorizationServer, http, proof, insecureHosts };
    const requester = { ...shared, registration: registrar.complete(registration) };
    const askedAtMs = Date.now();
    try {
      const refresh = { refreshToken: before.refreshToken, resource: this.#resource };
      const answer = await refreshTokens(requester, refresh);
      const { requestedScopes } = before;
      const tokens = buildStoredTokens({ answer, askedAtMs, requestedScopes, before });
      await store.set(this.#key, { ...stored, tokens });
      history.renew(tokens.accessToken);
      return { tokens, proof: tokens.tokenType === 'dpop' ? proof : undefined };
    } catch (error) {
      await this.#forget(stored, error);
      return undefined;
    }
  }

  /** Deletes an ended grant, and a registered client that the server no longer knows. */
  async #forget({ registration, dpopKey }: StoredCredentials, error: unknown): Promise<void> {
    if (!(error instanceof TokenRequestRefusedError)) throw error;
    const isClientGone = error.error === 'invalid_client' && registration?.origin === 'dynamic';
    if (!isClientGone && !isGrantOver(error)) throw error;
    const left = isClientGone || registration === undefined ? {} : { registration };
    await this.parts.store.set(this.#key, { ...left, ...(dpopKey && { dpopKey }) });
  }

  async #logIn(scopes: readonly string[]): Promise<AcquiredTokens> {
    const { proofs, history, refusedLogins, info } = this.parts;
    const proof = await proofs.create(info.prm?.dpop_bound_access_tokens_required === true);
    const login = this.#login.run({ stored: await this.#read(), scopes, proof });
    const tokens = await login.catch((error: unknown) => {
      if (error instanceof LoginRefusedError) refusedLogins.record(this.#key.issuer, scopes, error);
      throw this.#explain(error);
    });
    history.logIn();
    return { tokens, proof: tokens.tokenType === 'dpop' ? proof : undefined };
  }

  /** If no authorization server is named, and there is none at the default endpoints, a client id would not help. */
  #explain(error: unknown): Error {
    const { info, serverUrl } = this.parts;
    const isAbsent = error instanceof RegistrationUnavailableError && error.status === 404;
    if (isAbsent && isAssumed(info)) return new NoAuthorizationServerError(serverUrl, { cause: error });
    return error as Error;
  }
}
