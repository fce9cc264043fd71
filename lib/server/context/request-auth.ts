import { AuthError, noteInsufficientScope } from '../../core/oauth/auth.error.js';
import type { Challenges } from '../../core/oauth/challenges.js';
import type { Claims } from '../../core/oauth/access-token.js';
import { mergeScopes } from '../../core/oauth/scope.js';
import { McpConfigurationError } from '../settings/mcp-configuration.error.js';
import type { AuthView } from './auth-view.interface.js';
import type { Authentication } from './authentication.js';
import { type ExchangingCall, type RequestedToken, findExchange, findUpstream } from './token-exchange.js';

const NO_SCOPES: readonly string[] = Object.freeze([]);

/** The access for one request. */
export class RequestAuth implements AuthView {
  #call: ExchangingCall | undefined;
  #required = NO_SCOPES;
  #scopes: readonly string[];

  /** @param scopes the scopes that the request needs before its handler requires more */
  constructor(
    private readonly challenges: Challenges,
    /** The request's token; absent for an anonymous request. */
    readonly authentication: Authentication | undefined,
    scopes: readonly string[],
  ) {
    this.#scopes = scopes;
  }

  get requiredScopes(): readonly string[] {
    return this.#required;
  }

  get claims(): Claims | undefined {
    return this.authentication?.claims;
  }

  /** Returns whether the server with these challenges has authenticated the caller. */
  isOf(challenges: Challenges): boolean {
    return this.challenges === challenges;
  }

  /** Sets the request, which the log names. */
  belongTo(call: ExchangingCall): void {
    this.#call = call;
  }

  /** Resets the required scopes to those that the request needs before its handler requires more. */
  begin(scopes: readonly string[]): void {
    this.#scopes = scopes;
    this.#required = NO_SCOPES;
  }

  hasScope(scope: string): boolean {
    return this.authentication?.scopes.has(scope) === true;
  }

  requireScope(...scopes: readonly string[]): void {
    if (this.authentication === undefined) {
      throw noteInsufficientScope(this.challenges.missingToken(), {
        needed: mergeScopes(this.#scopes, scopes),
        held: [],
      });
    }
    if (scopes.every((scope) => this.hasScope(scope))) return this.#note(scopes);
    const { claims, keyThumbprint } = this.authentication;
    const scheme = keyThumbprint === undefined ? 'Bearer' : 'DPoP';
    // The challenge lists earlier required scopes too, so a token for this challenge is enough.
    const needed = mergeScopes(this.#scopes, this.#required, scopes);
    throw this.challenges.insufficientScope(needed, claims.scopes, scheme);
  }

  async exchange(wanted: RequestedToken = {}): Promise<string> {
    if (this.authentication === undefined) throw this.challenges.missingToken();
    const exchange = findExchange(this.authentication);
    if (exchange !== undefined) return exchange(wanted, this.#call);
    throw new McpConfigurationError(
      'auth.exchange',
      'is missing, or the caller was admitted without a token: set it, and have "McpAuthenticator" check tokens',
    );
  }

  async upstream(): Promise<string> {
    if (this.authentication === undefined) throw this.challenges.missingToken();
    const request = findUpstream(this.authentication);
    if (request !== undefined) return request();
    throw new McpConfigurationError(
      'auth.upstream()',
      'requires "McpAuthorizationServerModule" in this application, and a caller that "McpAuthenticator" authenticated: if the authorization server runs in another process, list this server in its "resourceServers", and call "auth.exchange()"',
    );
  }

  /** Access to the request's outcome requires these scopes too, even after the response. */
  #note(scopes: readonly string[]): void {
    this.#required = this.#required.length === 0 ? scopes : mergeScopes(this.#required, scopes);
  }
}

/** The access on a server without tokens, where no caller has any scope. */
export const NO_AUTH: AuthView = {
  claims: undefined,
  requiredScopes: NO_SCOPES,
  hasScope: () => false,
  requireScope: (...scopes) => {
    const refusal = new AuthError(403, `insufficient_scope: ${scopes.join(' ')}`);
    throw noteInsufficientScope(refusal, { needed: scopes, held: [] });
  },
  exchange: refuseAnyone,
  upstream: refuseAnyone,
};

async function refuseAnyone(): Promise<never> {
  throw new AuthError(401, 'Unauthorized');
}
