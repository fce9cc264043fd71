import * as oauth from 'oauth4webapi';
import { isObject } from '../../core/checks/option-checks.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import { createLimitedFetch } from '../../core/network/limited-fetch.js';
import type { UpstreamSettings, UpstreamUser } from '../settings/upstream-options.js';

/** The secrets of one login, which stay on this server. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The provider's tokens for one user. */
export interface UpstreamTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** In seconds since the Unix epoch; absent if the provider does not send it. */
  readonly expiresAt?: number | undefined;
}

/** A user, and the tokens the provider issued at login. */
export interface CompletedLogin {
  readonly user: UpstreamUser;
  readonly tokens: UpstreamTokens;
}

/** Thrown if the provider rejects a login or its response is invalid. The message is for the log. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';

  constructor(
    message: string,
    options?: ErrorOptions,
    /** The OAuth error code that the provider sent. */
    readonly code?: string,
  ) {
    super(message, options);
  }

  /** Whether the provider no longer accepts the login, so a retry would fail too. */
  get isRefusal(): boolean {
    return this.code === 'invalid_grant' || this.code === 'bad_refresh_token';
  }
}

const TIMEOUT_MS = 10_000;
const MAXIMUM_BYTES = 1024 * 1024;
const METADATA_MAXIMUM_AGE_MS = 3_600_000;

/** Logs people in at the identity provider, as a client registered there. */
export class UpstreamClient {
  readonly #client: oauth.Client;
  readonly #authenticate: oauth.ClientAuth;
  readonly #fetch = createLimitedFetch((input, init) => fetch(input, init), { maxBytes: MAXIMUM_BYTES });
  #metadata: { readonly value: Promise<oauth.AuthorizationServer>; readonly until: number } | undefined;

  constructor(
    private readonly settings: UpstreamSettings,
    private readonly redirectUri: string,
  ) {
    const { clientId, clientSecret, clientAuthentication } = settings;
    this.#client = { client_id: clientId };
    const isPost = clientAuthentication === 'client_secret_post';
    this.#authenticate = isPost
      ? oauth.ClientSecretPost(clientSecret)
      : oauth.ClientSecretBasic(clientSecret);
  }

  /** Creates the secrets of a login. */
  createSecrets(): LoginSecrets {
    return {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
  }

  /**
   * Returns the URL where a person logs in.
   *
   * @param prompt how the provider should ask, such as `select_account`
   * @throws {UpstreamError} if the provider's metadata cannot be read
   */
  async buildLoginUrl({ state, nonce, verifier }: LoginSecrets, prompt?: string): Promise<string> {
    const { authorization_endpoint: endpoint } = await this.#getMetadata();
    if (endpoint === undefined || !isSecureUrl(endpoint))
      throw new UpstreamError("The provider's metadata has no authorization endpoint");
    const url = new URL(endpoint);
    const { scopes, parameters } = this.settings;
    const values = {
      response_type: 'code',
      client_id: this.#client.client_id,
      redirect_uri: this.redirectUri,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(this.#isOpenId && { nonce }),
      ...(prompt !== undefined && { prompt }),
      ...parameters,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
    return url.href;
  }

  /**
   * Exchanges the provider's response for the user and the tokens.
   *
   * @throws {UpstreamError} if the provider refuses, or its response is invalid
   */
  async complete(
    response: URLSearchParams,
    { state, nonce, verifier }: LoginSecrets,
  ): Promise<CompletedLogin> {
    return this.#explain(async () => {
      const server = await this.#getMetadata();
      const parameters = oauth.validateAuthResponse(server, this.#client, response, state);
      const answer = await oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        this.#authenticate,
        parameters,
        this.redirectUri,
        verifier,
        this.#http(),
      );
      const isOpenId = this.#isOpenId;
      const result = await oauth.processAuthorizationCodeResponse(server, this.#client, answer, {
        requireIdToken: isOpenId,
        ...(isOpenId && { expectedNonce: nonce }),
      });
      const claims = oauth.getValidatedIdTokenClaims(result) ?? {};
      if (isOpenId) await oauth.validateApplicationLevelSignature(server, answer, this.#http());
      const user = await this.#readUser({ ...claims }, result.access_token);
      return { user, tokens: readTokens(result) };
    });
  }

  /**
   * Refreshes a user's tokens.
   *
   * @throws {UpstreamError} if the provider refuses
   */
  async refresh(refreshToken: string): Promise<UpstreamTokens> {
    return this.#explain(async () => {
      const server = await this.#getMetadata();
      const answer = await oauth.refreshTokenGrantRequest(
        server,
        this.#client,
        this.#authenticate,
        refreshToken,
        this.#http(),
      );
      const result = await oauth.processRefreshTokenResponse(server, this.#client, answer);
      return { refreshToken, ...readTokens(result) };
    });
  }

  get #isOpenId(): boolean {
    return this.settings.issuer !== undefined && this.settings.scopes.includes('openid');
  }

  async #readUser(claims: Record<string, unknown>, accessToken: string): Promise<UpstreamUser> {
    const { userUrl, scopes, readSubject = readSub } = this.settings;
    const document = userUrl === undefined ? {} : await this.#fetchUser(userUrl, accessToken);
    if (claims['sub'] !== undefined && document['sub'] !== undefined && claims['sub'] !== document['sub'])
      throw new UpstreamError("The provider returned a different user's document");
    // GitHub's scope: its user document contains neither private addresses nor whether an address is verified. A GitHub
    // App also needs the permission "Email addresses".
    const hasEmails = userUrl !== undefined && scopes.includes('user:email');
    const email = hasEmails
      ? readEmail(await this.#fetchJson(`${userUrl}/emails?per_page=100`, accessToken, { forbidden: [] }))
      : {};
    const all = { ...document, ...email, ...claims };
    const subject = readSubject(all);
    if (typeof subject !== 'string' || subject === '')
      throw new UpstreamError('The provider returned no user identifier');
    return { subject, claims: all };
  }

  async #fetchUser(url: string, accessToken: string): Promise<Record<string, unknown>> {
    const document = await this.#fetchJson(url, accessToken);
    if (!isObject(document)) throw new UpstreamError(`"${url}" did not return a JSON object`);
    return document;
  }

  /** @param fallbacks `forbidden` is returned instead of an error if the token is not sufficient */
  async #fetchJson(
    url: string,
    accessToken: string,
    fallbacks?: { readonly forbidden: unknown },
  ): Promise<unknown> {
    const headers = new Headers({ accept: 'application/json', 'user-agent': 'nestjs-mcp' });
    const response = await oauth.protectedResourceRequest(
      accessToken,
      'GET',
      new URL(url),
      headers,
      null,
      this.#http(),
    );
    if (response.status === 403 && fallbacks !== undefined) return fallbacks.forbidden;
    if (!response.ok) throw new UpstreamError(`"${url}" responded with ${response.status}`);
    return response.json();
  }

  /** A failed fetch is not cached, so the next login tries again. */
  #getMetadata(): Promise<oauth.AuthorizationServer> {
    const known = this.#metadata;
    if (known !== undefined && known.until > performance.now()) return known.value;
    const value = this.#explain(() => this.#fetchMetadata());
    const entry = { value, until: performance.now() + METADATA_MAXIMUM_AGE_MS };
    this.#metadata = entry;
    value.catch(() => {
      if (this.#metadata === entry) this.#metadata = undefined;
    });
    return value;
  }

  async #fetchMetadata(): Promise<oauth.AuthorizationServer> {
    const { issuer, authorizationUrl, tokenUrl } = this.settings;
    if (issuer === undefined) {
      return {
        issuer: new URL(String(authorizationUrl)).origin,
        authorization_endpoint: String(authorizationUrl),
        token_endpoint: String(tokenUrl),
      };
    }
    const response = await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oidc', ...this.#http() });
    const found = await oauth.processDiscoveryResponse(new URL(issuer), response);
    return {
      ...found,
      ...(authorizationUrl !== undefined && { authorization_endpoint: authorizationUrl }),
      ...(tokenUrl !== undefined && { token_endpoint: tokenUrl }),
    };
  }

  /** `http` can only reach this machine: the options reject other hosts, and `isSecureUrl` does so for URLs in the metadata. */
  #http() {
    return {
      [oauth.customFetch]: async (url: string, init: object) => {
        if (!isSecureUrl(url)) throw new UpstreamError("The provider's metadata contains an insecure URL");
        return this.#fetch(url, { ...init, redirect: 'manual' });
      },
      [oauth.allowInsecureRequests]: true,
      signal: () => AbortSignal.timeout(TIMEOUT_MS),
    };
  }

  async #explain<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UpstreamError) throw error;
      const code = findErrorCode(error);
      const reason = code === undefined ? (error as Error).message : JSON.stringify(code);
      const text = `The provider "${this.settings.name}" failed: ${reason}`;
      throw new UpstreamError(text, { cause: error }, code);
    }
  }
}

/** Finds the OAuth error code in a provider's response. GitHub sends errors with status 200, so they look like tokens. */
function findErrorCode(error: unknown): string | undefined {
  const { error: sent, cause } = error as { readonly error?: unknown; readonly cause?: unknown };
  const body = isObject(cause) ? cause['body'] : undefined;
  const code = sent ?? (isObject(body) ? body['error'] : undefined);
  return typeof code === 'string' ? code : undefined;
}

/** Reads GitHub's list of a user's e-mail addresses. Only the verified primary address identifies a person. */
function readEmail(list: unknown): Record<string, unknown> {
  const entries = Array.isArray(list) ? list.filter(isObject) : [];
  const primary = entries.find(({ primary: isPrimary, verified }) => isPrimary === true && verified === true);
  return { email: primary?.['email'] ?? null, email_verified: primary !== undefined };
}

function readSub({ sub }: UpstreamUser['claims']): string | undefined {
  return typeof sub === 'string' ? sub : undefined;
}

function readTokens({
  access_token: accessToken,
  refresh_token: refreshToken,
  expires_in: lifetime,
}: oauth.TokenEndpointResponse): UpstreamTokens {
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(lifetime !== undefined && { expiresAt: Math.floor(Date.now() / 1000) + lifetime }),
  };
}
