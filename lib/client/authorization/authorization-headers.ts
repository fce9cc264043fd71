import { type Challenge, readChallenges } from '../../core/oauth/read-challenges.js';
import { isScope, parseScope } from '../../core/oauth/scope.js';
import { isHeaderWord } from '../../core/words/words.js';
import { UnusableTokenError } from './errors.js';

/** The challenge from a server that rejected a call: it requires a token, or a token with more scopes. */
export interface AuthorizationChallenge {
  /** The configured server URL. */
  readonly serverUrl: string;
  readonly status: 401 | 403;
  /** The unchecked URL of the server's metadata; relative to the server if incomplete. */
  readonly resourceMetadataUrl: string | undefined;
  /**
   * Whether the header is malformed. If it is, its metadata URL is only the first URL to try.
   * @default false
   */
  readonly isMalformed?: boolean | undefined;
  /** The scopes that the call requires; empty if the server does not name them. */
  readonly scopes: readonly string[];
  /** The error code from the header, such as `invalid_token` or `insufficient_scope`. */
  readonly error: string | undefined;
  /** The rejected token, which lets a source keep a newer one; absent if none was sent. */
  readonly refusedToken: string | undefined;
}

/** A response, and the call it belongs to. */
interface CallOutcome {
  readonly serverUrl: string;
  readonly response: Response;
  readonly token: string | undefined;
}

/** What a response requires for the next attempt. */
export type Demand =
  | { readonly kind: 'token'; readonly challenge: AuthorizationChallenge }
  | { readonly kind: 'proof' }
  | { readonly kind: 'nothing' };

const SCHEMES: ReadonlySet<string> = new Set(['bearer', 'dpop']);

/**
 * Determines what a response requires: a token, a new proof, for example with a nonce (RFC 9449 §7.1, §9), or nothing
 * that a token could provide.
 *
 * The readable part of a malformed header is used. A 401 always requires a token.
 *
 * @see RFC 6750 §3, RFC 9728 §5.1
 */
export function readDemand({ serverUrl, response, token }: CallOutcome): Demand {
  const { status } = response;
  if (status !== 401 && status !== 403) return { kind: 'nothing' };
  const { challenges: listed, problem } = readChallenges(response.headers.get('www-authenticate') ?? '');
  const challenges = listed.filter(({ scheme }) => SCHEMES.has(scheme));
  if (challenges.some(asksForProof)) return { kind: 'proof' };
  const chosen = challenges.find(({ parameters }) => parameters.get('resource_metadata')) ?? challenges[0];
  // If there are several schemes, the challenge for the token's scheme carries the error (RFC 9449 §7.2).
  const problemy = challenges.find(({ parameters }) => parameters.get('error'));
  const error = problemy?.parameters.get('error');
  const scope = problemy?.parameters.get('scope') ?? chosen?.parameters.get('scope') ?? '';
  if (status === 403 && error !== 'insufficient_scope') return { kind: 'nothing' };
  const challenge = {
    serverUrl,
    status,
    error,
    resourceMetadataUrl: chosen?.parameters.get('resource_metadata') || undefined,
    scopes: parseScope(scope).filter(isScope),
    refusedToken: token,
    ...(problem !== undefined && { isMalformed: true }),
  } as const;
  return { kind: 'token', challenge };
}

/** Proof errors: the token is still valid, and a new proof with this response's nonce may be enough. */
const PROOF_ERRORS: ReadonlySet<string | undefined> = new Set(['use_dpop_nonce', 'invalid_dpop_proof']);

function asksForProof({ scheme, parameters }: Challenge): boolean {
  return scheme === 'dpop' && PROOF_ERRORS.has(parameters.get('error'));
}

/**
 * Returns the `Authorization` header value for a token.
 *
 * @throws {UnusableTokenError} instead of the `fetch` error, whose message would contain the token
 * @see RFC 6750 §2.1, RFC 9449 §7.1
 */
export function formatAuthorization(token: string, scheme: 'Bearer' | 'DPoP' = 'Bearer'): string {
  // Some issuers use characters beyond RFC 6750 §2.1.
  if (!isHeaderWord(token)) throw new UnusableTokenError(token === '');
  return `${scheme} ${token}`;
}
