import { AuthError } from './auth.error.js';
import { formatBearerChallenge } from './challenge.js';
import { noteShortage } from './scope-shortage.js';

/** What the challenges of a server have in common. */
export interface ChallengeFacts {
  /** Where clients find the metadata of the resource; absent where it has none. */
  readonly resourceMetadataUrl?: string | undefined;
  /** What clients put before a scope when they ask the authorization server for it. @default '' */
  readonly scopePrefix?: string | undefined;
  /** Gives the scopes to ask for at first, as they are known when a challenge is made. */
  readonly getFirstScopes: () => readonly string[];
}

/**
 * Makes the refusals of one server, each with its challenge.
 *
 * @see RFC 6750 §3.1, MCP 2026-07-28 basic/authorization
 */
export class Challenges {
  constructor(private readonly facts: ChallengeFacts) {}

  /** The request has no token. */
  missingToken(): AuthError {
    return new AuthError(401, 'Unauthorized', formatBearerChallenge(this.#describeResource()));
  }

  /** The request has a token that is no good; the caller does not learn why. */
  invalidToken(): AuthError {
    return this.#refuse();
  }

  /** The request has credentials that cannot be read as a token: of another scheme, malformed, or in another place. */
  unreadableToken(): AuthError {
    return this.#refuse('Send the token in one Authorization header, as Bearer <token>');
  }

  #refuse(description?: string): AuthError {
    const message = description === undefined ? 'Unauthorized' : `Unauthorized: ${description}`;
    const challenge = {
      ...this.#describeResource(),
      error: 'invalid_token',
      error_description: description,
    };
    return new AuthError(401, message, formatBearerChallenge(challenge));
  }

  /** The token does not allow enough: names every scope that is needed, held or not. */
  insufficientScope(scopes: readonly string[], held: readonly string[] = []): AuthError {
    const challenge = formatBearerChallenge({
      error: 'insufficient_scope',
      scope: this.#format(scopes),
      resource_metadata: this.facts.resourceMetadataUrl,
      error_description: 'The token does not have every scope that is needed',
    });
    const refusal = new AuthError(403, `insufficient_scope: ${scopes.join(' ')}`, challenge);
    return noteShortage(refusal, { needed: scopes, held });
  }

  /** Without metadata a client knows of nobody to ask for scopes. */
  #describeResource(): { readonly resource_metadata?: string; readonly scope?: string | undefined } {
    const { resourceMetadataUrl, getFirstScopes } = this.facts;
    if (resourceMetadataUrl === undefined) return {};
    return { resource_metadata: resourceMetadataUrl, scope: this.#format(getFirstScopes()) };
  }

  #format(scopes: readonly string[]): string | undefined {
    const { scopePrefix = '' } = this.facts;
    return scopes.length === 0 ? undefined : scopes.map((scope) => scopePrefix + scope).join(' ');
  }
}
