import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
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

/** Where a user logs in, and with what. */
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
  /** What is kept of earlier logins. */
  readonly kept: StoredCredentials;
  readonly scopes: readonly string[];
  /** What the tokens are to be bound to; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
}

/** The endpoints of every login. That of registrations is asked before a browser opens. */
const NEEDED = ['authorization_endpoint', 'token_endpoint'] as const;

/** Has a user log in by the authorization code grant, and keeps what came of it. */
export class InteractiveLogin {
  constructor(private readonly parts: LoginParts) {}

  /**
   * Has the user log in; a second time if the client had registered itself and is not known any more.
   *
   * @throws {PkceUnsupportedError} before anything else, if codes could be stolen
   * @throws {DiscoveryFailedError} before a browser opens, if an endpoint is missing that the login will need
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
      // Whether the user saw a page that said so, or just went away, is not known.
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
 * Keeps a client before anybody logs in. A given client is kept at once: its authorization server must be known before anybody
 * sees its id. Any other client replaces a login only after its own login has succeeded.
 */
function keepRegistration(registration: StoredRegistration, kept: StoredCredentials): StoredCredentials {
  if (isOf(registration, kept)) return { ...kept, registration };
  return registration.origin === 'given' || kept.tokens === undefined ? { registration } : kept;
}

/** Tells whether what is kept is of the same client. */
function isOf({ clientId }: StoredRegistration, kept: StoredCredentials): boolean {
  return kept.registration?.clientId === clientId;
}

/** Authorization servers send nobody back to a client that they do not know. */
function canBeOfUnknownClient(error: unknown): boolean {
  if (error instanceof LoginTimedOutError) return true;
  return error instanceof TokenRequestRefusedError && error.error === 'invalid_client';
}

/** Others may have renewed tokens while a user was waited for. */
function isOfUse({ tokens }: StoredCredentials): boolean {
  return tokens !== undefined && (isFresh(tokens) || tokens.refreshToken !== undefined);
}
