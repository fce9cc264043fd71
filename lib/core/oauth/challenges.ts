import { AuthError } from './auth.error.js';
import { formatChallenge, type TokenChallenge, type TokenScheme } from './challenge.js';
import { noteShortage } from './scope-shortage.js';

/** What the challenges of a server have in common. */
export interface ChallengeFacts {
  /** Where clients find the metadata of the resource; absent if it has none. */
  readonly resourceMetadataUrl?: string | undefined;
  /** What clients put before a scope when they ask the authorization server for it. @default '' */
  readonly scopePrefix?: string | undefined;
  /** Gives the scopes to ask for at first, as they are known when a challenge is made. */
  readonly getFirstScopes: () => readonly string[];
  /** How the server takes tokens that are bound to a key; absent if it takes none. */
  readonly dpop?: { readonly algorithms: readonly string[]; readonly isRequired: boolean } | undefined;
}

/** Why a token is refused, as far as its sender learns it. */
export interface TokenRefusal {
  /** The scheme of the token. @default 'Bearer' */
  readonly scheme?: TokenScheme | undefined;
  /** @default 'invalid_token' */
  readonly error?: string | undefined;
  /** What to do, as a sentence without quotes (RFC 6750 §3). @default the caller does not learn why */
  readonly description?: string | undefined;
  /** Whether the token was sent with the wrong scheme. Both challenges then say what is wrong. @default false */
  readonly isMisplaced?: boolean | undefined;
}

/** What challenges say is wrong. */
interface Faults {
  /** The fault, in the challenge of the token's scheme. */
  readonly fault?: TokenChallenge;
  /** Said by that of the other one. */
  readonly elsewhere?: TokenChallenge;
  readonly scheme?: TokenScheme | undefined;
}

/** How a token is sent, by the schemes that a server takes. */
const WAYS = {
  bearer: 'as Bearer <token>',
  allowed: 'as Bearer <token>, or as DPoP <token> with a proof',
  required: 'as DPoP <token> with a proof',
} as const;

/**
 * Characters of the scopes to ask for at first, and of those that are needed. Many proxies take 4096 bytes of headers, and Node's clients
 * 16 KiB. If scopes are left out, clients ask for those of the metadata.
 */
const LONGEST_FIRST_SCOPES = 2048;
const LONGEST_NEEDED_SCOPES = 8192;

/**
 * Makes the refusals of one server, each with its challenge.
 *
 * @see RFC 6750 §3.1, MCP 2026-07-28 basic/authorization
 */
export class Challenges {
  constructor(private readonly facts: ChallengeFacts) {}

  /** The request has no token. */
  missingToken(): AuthError {
    return new AuthError(401, 'Unauthorized', this.#write({ ...this.#describeResource() }));
  }

  /** The request has an invalid token. The caller does not learn why, unless a description is given. */
  invalidToken({ scheme, error = 'invalid_token', description, isMisplaced }: TokenRefusal = {}): AuthError {
    const message = description === undefined ? 'Unauthorized' : `Unauthorized: ${description}`;
    const fault = { error, error_description: description };
    const elsewhere = isMisplaced === true ? fault : {};
    return new AuthError(401, message, this.#write(this.#describeResource(), { fault, elsewhere, scheme }));
  }

  /** The request has credentials that cannot be read as a token: of another scheme, malformed, or in another place. */
  unreadableToken(scheme?: TokenScheme): AuthError {
    const { dpop } = this.facts;
    const way = dpop === undefined ? WAYS.bearer : dpop.isRequired ? WAYS.required : WAYS.allowed;
    return this.invalidToken({ scheme, description: `Send the token in one Authorization header, ${way}` });
  }

  /** The token does not allow enough: names every scope that is needed, held or not. */
  insufficientScope(
    scopes: readonly string[],
    held: readonly string[] = [],
    scheme: TokenScheme = 'Bearer',
  ): AuthError {
    const challenge = formatChallenge(scheme, {
      error: 'insufficient_scope',
      scope: this.#format(scopes, LONGEST_NEEDED_SCOPES),
      resource_metadata: this.facts.resourceMetadataUrl,
      error_description: 'The token does not have every scope that is needed',
    });
    const refusal = new AuthError(403, `insufficient_scope: ${scopes.join(' ')}`, challenge);
    return noteShortage(refusal, { needed: scopes, held });
  }

  /** Writes a challenge for each accepted scheme. The scheme of the token says what is wrong (RFC 9449 §7.2). */
  #write(resource: TokenChallenge, { fault = {}, elsewhere = {}, scheme = 'Bearer' }: Faults = {}): string {
    const { dpop } = this.facts;
    if (dpop === undefined) return formatChallenge('Bearer', { ...resource, ...fault });
    const algs = dpop.algorithms.join(' ');
    if (dpop.isRequired) return formatChallenge('DPoP', { ...resource, ...fault, algs });
    const [bearer, bound] = scheme === 'Bearer' ? [fault, elsewhere] : [elsewhere, fault];
    const challenges = [
      formatChallenge('Bearer', { ...resource, ...bearer }),
      formatChallenge('DPoP', { ...resource, ...bound, algs }),
    ];
    return (scheme === 'Bearer' ? challenges : challenges.toReversed()).join(', ');
  }

  /** Without metadata a client knows of nobody to ask for scopes. */
  #describeResource(): { readonly resource_metadata?: string; readonly scope?: string | undefined } {
    const { resourceMetadataUrl, getFirstScopes } = this.facts;
    if (resourceMetadataUrl === undefined) return {};
    return {
      resource_metadata: resourceMetadataUrl,
      scope: this.#format(getFirstScopes(), LONGEST_FIRST_SCOPES),
    };
  }

  #format(scopes: readonly string[], longest: number): string | undefined {
    const { scopePrefix = '' } = this.facts;
    const text = scopes.map((scope) => scopePrefix + scope).join(' ');
    return text === '' || text.length > longest ? undefined : text;
  }
}
