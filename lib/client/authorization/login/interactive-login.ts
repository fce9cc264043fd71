import type { AuthorizationServerMetadata } from '../../../core/oauth/metadata.js';
import type { StoredCredentials, StoredRegistration, StoredTokens } from '../credentials/credential-store.js';
import { assertPkceSupported, getEndpoint } from '../discovery/server-metadata.js';
import type { DpopProof } from '../dpop.js';
import { LoginTimedOutError, TokenRequestRefusedError } from '../errors.js';
import type { ClientHttp } from '../client-http.interface.js';
import { selectRedirectUri, type Registrar } from '../registration/registrar.js';
import type { Authorizer, BrowserOptions, OAuthTokenSourceOptions } from './login-options.js';
import { buildStoredTokens, isFresh } from './stored-tokens.js';
import { beginLogin, parseAuthorizationResponse } from './authorization-request.js';
import { openAuthorizer } from './loopback/loopback-authorizer.js';
import { exchangeCode } from './request-tokens.js';

/** Where a user logs in, and what a login depends on. */
export interface LoginParts {
  readonly authorizationServer: AuthorizationServerMetadata;
  readonly resource: string;
  /** Changes the stored credentials under the lock. Without new credentials, it deletes them. */
  readonly update: (change: (stored: StoredCredentials) => StoredCredentials | undefined) => Promise<void>;
  readonly registrar: Registrar;
  readonly http: ClientHttp;
  readonly options: BrowserOptions &
    Pick<OAuthTokenSourceOptions, 'authorizationParameters' | 'signal' | 'insecureHosts' | 'assumeS256'>;
}

/** One login. */
export interface LoginRequest {
  /** The stored credentials from earlier logins. */
  readonly stored: StoredCredentials;
  readonly scopes: readonly string[];
  /** The key that the tokens are bound to; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/** The endpoints that every login needs. The client registers before a browser opens. */
const NEEDED = ['authorization_endpoint', 'token_endpoint'] as const;

/** Logs a user in with the authorization code grant, and stores the result. */
export class InteractiveLogin {
  constructor(private readonly parts: LoginParts) {}

  /**
   * Logs the user in. If the authorization server no longer knows the registered client, it registers again and retries.
   *
   * @throws {PkceUnsupportedError} before anything else, if codes could be stolen
   * @throws {DiscoveryFailedError} before a browser opens, if a required endpoint is missing
   */
  async run(request: LoginRequest): Promise<StoredTokens> {
    const { authorizationServer, options, registrar } = this.parts;
    assertPkceSupported(authorizationServer, options);
    for (const member of NEEDED) getEndpoint(authorizationServer, member, options.insecureHosts);
    const { issuer } = authorizationServer;
    const known = registrar.findKnown(issuer, request.stored);
    const authorizer = await openAuthorizer(options, { issuer, known });
    try {
      return await this.#tryWith(authorizer, request, known);
    } finally {
      await authorizer.close?.();
    }
  }

  async #tryWith(
    authorizer: Authorizer,
    request: LoginRequest,
    known: readonly StoredRegistration[],
  ): Promise<StoredTokens> {
    const { registrar, authorizationServer } = this.parts;
    const registration = await this.#register(authorizer, known);
    const isKnown = registration.origin === 'dynamic' && known.includes(registration);
    try {
      return await this.#logIn(authorizer, request, registration);
    } catch (error) {
      if (!isKnown || !canBeOfUnknownClient(error)) throw error;
      registrar.forget(authorizationServer.issuer, registration);
      // A timeout has two possible causes: the user saw an error page, or left.
      const isTimedOut = error instanceof LoginTimedOutError;
      await this.parts.update((stored) => {
        const isOver = isOf(registration, stored) && !(isTimedOut && isOfUse(stored));
        return isOver ? undefined : stored;
      });
      if (isTimedOut) throw error;
    }
    return this.#logIn(authorizer, request, await this.#register(authorizer, []));
  }

  async #register(
    { redirectUri, issuerRedirectUri }: Authorizer,
    known: readonly StoredRegistration[],
  ): Promise<StoredRegistration> {
    const { registrar, authorizationServer } = this.parts;
    return registrar.get({ authorizationServer, known, redirectUri, issuerRedirectUri });
  }

  async #logIn(
    authorizer: Authorizer,
    { scopes, proof }: LoginRequest,
    registration: StoredRegistration,
  ): Promise<StoredTokens> {
    const { authorizationServer, resource, http, options, registrar, update } = this.parts;
    await update((stored) => storeRegistration(registration, stored));
    const { clientId } = registration;
    const redirectUri = selectRedirectUri(registration, authorizer);
    const { signal, insecureHosts, assumeS256, authorizationParameters: parameters } = options;
    const attempt = await beginLogin({
      authorizationServer,
      clientId,
      redirectUri,
      scopes,
      resource,
      parameters,
      insecureHosts,
      assumeS256,
    });
    const answer = parseAuthorizationResponse(await authorizer.authorize(attempt.url, { signal }), attempt);
    const client = registrar.complete(registration);
    const requester = { authorizationServer, registration: client, http, proof, insecureHosts };
    const askedAtMs = Date.now();
    const given = await exchangeCode(requester, answer, attempt);
    const tokens = {
      ...buildStoredTokens({ answer: given, askedAtMs, requestedScopes: scopes }),
      loggedInAtMs: Date.now(),
    };
    const dpopKey = tokens.tokenType === 'dpop' ? proof?.key.toStored() : undefined;
    await update(() => ({ registration, tokens, ...(dpopKey && { dpopKey }) }));
    return tokens;
  }
}

/**
 * Stores a client before the login. A configured client is stored immediately, because its authorization server must be
 * recorded before the id is sent. Any other client replaces an existing login only after its own login has succeeded.
 */
function storeRegistration(registration: StoredRegistration, stored: StoredCredentials): StoredCredentials {
  if (isOf(registration, stored)) return { ...stored, registration };
  return registration.origin === 'given' || stored.tokens === undefined ? { registration } : stored;
}

/** Returns whether the stored credentials belong to the same client. */
function isOf({ clientId }: StoredRegistration, stored: StoredCredentials): boolean {
  return stored.registration?.clientId === clientId;
}

/** Authorization servers do not redirect to an unknown client, so this may also cause a timeout. */
function canBeOfUnknownClient(error: unknown): boolean {
  if (error instanceof LoginTimedOutError) return true;
  return error instanceof TokenRequestRefusedError && error.error === 'invalid_client';
}

/** Other processes may have refreshed the tokens during the login. */
function isOfUse({ tokens }: StoredCredentials): boolean {
  return tokens !== undefined && (isFresh(tokens) || tokens.refreshToken !== undefined);
}
