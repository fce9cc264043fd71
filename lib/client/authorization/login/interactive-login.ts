import type { AuthorizationServerMetadata } from '../../../core/oauth/metadata.js';
import type { StoredCredentials, StoredRegistration, StoredTokens } from '../credentials/credential-store.js';
import { assertPkceSupported, getEndpoint } from '../discovery/server-metadata.js';
import type { DpopProof } from '../dpop.js';
import { LoginTimedOutError, TokenRequestRefusedError } from '../errors.js';
import type { ClientHttp } from '../client-http.interface.js';
import { selectRedirectUri, type Registrar } from '../registration/registrar.js';
import type { Authorizer, BrowserOptions, OAuthTokenSourceOptions } from './login-options.js';
import { buildStoredTokens, isFresh } from './stored-tokens.js';
import { beginLogin, parseAnswer } from './authorization-request.js';
import { openAuthorizer } from './loopback/loopback-authorizer.js';
import { exchangeCode } from './request-tokens.js';

/** Where a user logs in, and the parts that a login needs. */
export interface LoginParts {
  readonly authorizationServer: AuthorizationServerMetadata;
  readonly resource: string;
  /** Changes the stored credentials under the lock. Without new credentials, it deletes them. */
  readonly update: (change: (kept: StoredCredentials) => StoredCredentials | undefined) => Promise<void>;
  readonly registrar: Registrar;
  readonly http: ClientHttp;
  readonly options: BrowserOptions &
    Pick<OAuthTokenSourceOptions, 'authorizationParameters' | 'signal' | 'insecureHosts' | 'assumeS256'>;
}

/** One login. */
export interface LoginNeed {
  /** The stored credentials of earlier logins. */
  readonly kept: StoredCredentials;
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
   * @throws {PkceUnsupportedError} first, if codes could be stolen
   * @throws {DiscoveryFailedError} before a browser opens, if a required endpoint is missing
   */
  async run(need: LoginNeed): Promise<StoredTokens> {
    const { authorizationServer, options, registrar } = this.parts;
    assertPkceSupported(authorizationServer, options);
    for (const member of NEEDED) getEndpoint(authorizationServer, member, options.insecureHosts);
    const { issuer } = authorizationServer;
    const known = registrar.findKnown(issuer, need.kept);
    const authorizer = await openAuthorizer(options, { issuer, known });
    try {
      return await this.#tryWith(authorizer, need, known);
    } finally {
      await authorizer.close?.();
    }
  }

  async #tryWith(
    authorizer: Authorizer,
    need: LoginNeed,
    known: readonly StoredRegistration[],
  ): Promise<StoredTokens> {
    const { registrar, authorizationServer } = this.parts;
    const registration = await this.#register(authorizer, known);
    const isKnown = registration.origin === 'dynamic' && known.includes(registration);
    try {
      return await this.#logIn(authorizer, need, registration);
    } catch (error) {
      if (!isKnown || !canBeOfUnknownClient(error)) throw error;
      registrar.forget(authorizationServer.issuer, registration);
      // A timeout has two causes: the user saw an error page, or left.
      const isTimedOut = error instanceof LoginTimedOutError;
      await this.parts.update((kept) => {
        const isOver = isOf(registration, kept) && !(isTimedOut && isOfUse(kept));
        return isOver ? undefined : kept;
      });
      if (isTimedOut) throw error;
    }
    return this.#logIn(authorizer, need, await this.#register(authorizer, []));
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
    { scopes, proof }: LoginNeed,
    registration: StoredRegistration,
  ): Promise<StoredTokens> {
    const { authorizationServer, resource, http, options, registrar, update } = this.parts;
    await update((kept) => keepRegistration(registration, kept));
    const { clientId } = registration;
    const redirectUri = selectRedirectUri(registration, authorizer);
    const { signal, insecureHosts, assumeS256, authorizationParameters: parameters } = options;
    const wish = { authorizationServer, clientId, redirectUri, scopes, resource, parameters };
    const attempt = await beginLogin({ ...wish, insecureHosts, assumeS256 });
    const answer = parseAnswer(await authorizer.authorize(attempt.url, { signal }), attempt);
    const client = registrar.complete(registration);
    const asker = { authorizationServer, registration: client, http, proof, insecureHosts };
    const askedAtMs = Date.now();
    const given = await exchangeCode(asker, answer, attempt);
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
function keepRegistration(registration: StoredRegistration, kept: StoredCredentials): StoredCredentials {
  if (isOf(registration, kept)) return { ...kept, registration };
  return registration.origin === 'given' || kept.tokens === undefined ? { registration } : kept;
}

/** Returns whether the stored credentials belong to the same client. */
function isOf({ clientId }: StoredRegistration, kept: StoredCredentials): boolean {
  return kept.registration?.clientId === clientId;
}

/** Authorization servers do not redirect to a client that they do not know, so a timeout may mean that too. */
function canBeOfUnknownClient(error: unknown): boolean {
  if (error instanceof LoginTimedOutError) return true;
  return error instanceof TokenRequestRefusedError && error.error === 'invalid_client';
}

/** Other processes may have refreshed the tokens during the login. */
function isOfUse({ tokens }: StoredCredentials): boolean {
  return tokens !== undefined && (isFresh(tokens) || tokens.refreshToken !== undefined);
}
