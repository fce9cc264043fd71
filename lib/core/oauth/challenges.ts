import { AuthError, noteInsufficientScope } from './auth.error.js';

/** An HTTP authentication scheme for access tokens (RFC 6750 §2.1, RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

/** The parameters of a `WWW-Authenticate` challenge, under their wire names. */
export interface TokenChallenge {
  /** The URL of the resource metadata (RFC 9728 §5.1). */
  readonly resource_metadata?: string | undefined;
  /** Why the request was refused; absent if no token was sent (RFC 6750 §3.1). */
  readonly error?: string | undefined;
  /** The required scopes, separated by spaces. */
  readonly scope?: string | undefined;
  /** A sentence for developers. */
  readonly error_description?: string | undefined;
  /** The signature algorithms accepted for proofs, separated by spaces (RFC 9449 §7.1). */
  readonly algs?: string | undefined;
}

/**
 * Formats a challenge for the header, with its parameters in the given order.
 *
 * @example
 * formatChallenge('Bearer', { error: 'invalid_token' }); // 'Bearer error="invalid_token"'
 *
 * @see RFC 6750 §3, RFC 9728 §5.1, RFC 9449 §7.1
 */
export function formatChallenge(scheme: TokenScheme, challenge: TokenChallenge): string {
  const parameters = Object.entries(challenge).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}=${quote(value)}`] : [],
  );
  return parameters.length === 0 ? scheme : `${scheme} ${parameters.join(', ')}`;
}

/** Formats a quoted-string (RFC 9110 §5.6.4), without characters that a header cannot contain. */
function quote(text: string): string {
  return `"${text.replace(/[^\t\x20-\x7e]/g, '').replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** The common parts of a server's challenges. */
export interface ChallengeFacts {
  /** Where clients find the resource metadata; absent if it has none. */
  readonly resourceMetadataUrl?: string | undefined;
  /** The prefix that clients add to a scope when they request it from the authorization server. @default '' */
  readonly scopePrefix?: string | undefined;
  /** Returns the scopes to request initially, evaluated when a challenge is created. */
  readonly getFirstScopes: () => readonly string[];
  /** How the server accepts key-bound tokens; absent if it does not. */
  readonly dpop?: { readonly algorithms: readonly string[]; readonly isRequired: boolean } | undefined;
}

/** What the caller may know about why a token was refused. */
export interface TokenRefusal {
  /** The token's scheme. @default 'Bearer' */
  readonly scheme?: TokenScheme | undefined;
  /** @default 'invalid_token' */
  readonly error?: string | undefined;
  /** What to do, as a sentence without quotes (RFC 6750 §3). @default no reason is given */
  readonly description?: string | undefined;
  /** Whether the token was sent with the wrong scheme. Both challenges then contain the error. @default false */
  readonly isMisplaced?: boolean | undefined;
}

/** The errors in challenges. */
interface ChallengeErrors {
  /** The error in the challenge for the token's scheme. */
  readonly problem?: TokenChallenge;
  /** The error in the other challenge. */
  readonly other?: TokenChallenge;
  readonly scheme?: TokenScheme | undefined;
}

/** How to send a token, depending on the accepted schemes. */
const WAYS = {
  bearer: 'as Bearer <token>',
  allowed: 'as Bearer <token>, or as DPoP <token> with a proof',
  required: 'as DPoP <token> with a proof',
} as const;

/**
 * The maximum number of characters for the initial scopes, and for the required scopes. Many proxies accept 4096
 * bytes of headers, and Node's clients accept 16 KiB. If scopes are omitted, clients request the scopes in the
 * metadata.
 */
const LONGEST_FIRST_SCOPES = 2048;
const LONGEST_NEEDED_SCOPES = 8192;

/**
 * Creates one server's refusals, each with its challenge.
 *
 * @see RFC 6750 §3.1, MCP 2026-07-28 basic/authorization
 */
export class Challenges {
  constructor(private readonly facts: ChallengeFacts) {}

  /** The request has no token. */
  missingToken(): AuthError {
    return new AuthError(401, 'Unauthorized', this.#write({ ...this.#describeResource() }));
  }

  /** The request has an invalid token. The caller does not learn why unless a description is passed. */
  invalidToken({ scheme, error = 'invalid_token', description, isMisplaced }: TokenRefusal = {}): AuthError {
    const message = description === undefined ? 'Unauthorized' : `Unauthorized: ${description}`;
    const problem = { error, error_description: description };
    const other = isMisplaced === true ? problem : {};
    return new AuthError(401, message, this.#write(this.#describeResource(), { problem, other, scheme }));
  }

  /**
   * The request has credentials that cannot be read as a token: they have a different scheme, are malformed, or are
   * in the wrong place.
   */
  unreadableToken(scheme?: TokenScheme): AuthError {
    const { dpop } = this.facts;
    const way = dpop === undefined ? WAYS.bearer : dpop.isRequired ? WAYS.required : WAYS.allowed;
    return this.invalidToken({ scheme, description: `Send the token in one Authorization header, ${way}` });
  }

  /** The token lacks scopes: names every required scope, granted or not. */
  insufficientScope(
    scopes: readonly string[],
    held: readonly string[] = [],
    scheme: TokenScheme = 'Bearer',
  ): AuthError {
    const challenge = formatChallenge(scheme, {
      error: 'insufficient_scope',
      scope: this.#format(scopes, LONGEST_NEEDED_SCOPES),
      resource_metadata: this.facts.resourceMetadataUrl,
      error_description: 'The token lacks a required scope',
    });
    const refusal = new AuthError(403, `insufficient_scope: ${scopes.join(' ')}`, challenge);
    return noteInsufficientScope(refusal, { needed: scopes, held });
  }

  /** Writes a challenge for each accepted scheme. The challenge for the token's scheme contains the error (RFC 9449 §7.2). */
  #write(
    resource: TokenChallenge,
    { problem = {}, other = {}, scheme = 'Bearer' }: ChallengeErrors = {},
  ): string {
    const { dpop } = this.facts;
    if (dpop === undefined) return formatChallenge('Bearer', { ...resource, ...problem });
    const algs = dpop.algorithms.join(' ');
    if (dpop.isRequired) return formatChallenge('DPoP', { ...resource, ...problem, algs });
    const [bearer, bound] = scheme === 'Bearer' ? [problem, other] : [other, problem];
    const challenges = [
      formatChallenge('Bearer', { ...resource, ...bearer }),
      formatChallenge('DPoP', { ...resource, ...bound, algs }),
    ];
    return (scheme === 'Bearer' ? challenges : challenges.toReversed()).join(', ');
  }

  /** Without metadata, a client has no authorization server to request scopes from. */
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
