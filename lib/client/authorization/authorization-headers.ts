import type { Challenge } from '../../core/oauth/parse-challenges.js';
import { readChallenges } from '../../core/oauth/read-challenges.js';
import { isScope, parseScope } from '../../core/oauth/scope.js';
import { isHeaderWord } from '../../core/words/is-header-word.js';
import { UnusableTokenError } from './errors.js';

/** What a server said when it refused a call: that it needs a token, or one with more scopes. */
export interface AuthorizationChallenge {
  /** The server that was called, as it is configured. */
  readonly serverUrl: string;
  readonly status: 401 | 403;
  /** The URL of the server's metadata, unchecked; relative to the server if it is incomplete. */
  readonly resourceMetadataUrl: string | undefined;
  /**
   * Whether the header is malformed. If it is, the URL of the metadata in it is only the first place to look.
   * @default false
   */
  readonly isMalformed?: boolean | undefined;
  /** The scopes that the call needs; empty if the server does not say. */
  readonly scopes: readonly string[];
  /** Why the call was refused, by its name on the wire, such as `invalid_token` or `insufficient_scope`. */
  readonly error: string | undefined;
  /** The token that was refused, so that a source does not throw away a newer one; absent if none was sent. */
  readonly refusedToken: string | undefined;
}

/** A call that was answered. */
interface AnsweredCall {
  readonly serverUrl: string;
  readonly response: Response;
  readonly token: string | undefined;
}

/** What an answer asks for. */
export type Demand =
  | { readonly kind: 'token'; readonly challenge: AuthorizationChallenge }
  | { readonly kind: 'proof' }
  | { readonly kind: 'nothing' };

const SCHEMES: ReadonlySet<string> = new Set(['bearer', 'dpop']);

/**
 * Tells what an answer asks for: a token, a new proof such as one with a nonce (RFC 9449 §7.1, §9), or nothing that a
 * token provides.
 *
 * A malformed header is read as far as possible. A 401 counts in any case.
 *
 * @see RFC 6750 §3, RFC 9728 §5.1
 */
export function readDemand({ serverUrl, response, token }: AnsweredCall): Demand {
  const { status } = response;
  if (status !== 401 && status !== 403) return { kind: 'nothing' };
  const { challenges: listed, fault } = readChallenges(response.headers.get('www-authenticate') ?? '');
  const challenges = listed.filter(({ scheme }) => SCHEMES.has(scheme));
  if (challenges.some(asksForProof)) return { kind: 'proof' };
  const chosen = challenges.find(({ parameters }) => parameters.get('resource_metadata')) ?? challenges[0];
  // If the header has several schemes, the scheme of the token says what is wrong (RFC 9449 §7.2).
  const faulty = challenges.find(({ parameters }) => parameters.get('error'));
  const error = faulty?.parameters.get('error');
  const scope = faulty?.parameters.get('scope') ?? chosen?.parameters.get('scope') ?? '';
  if (status === 403 && error !== 'insufficient_scope') return { kind: 'nothing' };
  const challenge = {
    serverUrl,
    status,
    error,
    resourceMetadataUrl: chosen?.parameters.get('resource_metadata') || undefined,
    scopes: parseScope(scope).filter(isScope),
    refusedToken: token,
    ...(fault !== undefined && { isMalformed: true }),
  } as const;
  return { kind: 'token', challenge };
}

/** The token is still good. A new proof with the nonce of this answer may be enough. */
const FAULTS_OF_PROOFS: ReadonlySet<string | undefined> = new Set(['use_dpop_nonce', 'invalid_dpop_proof']);

function asksForProof({ scheme, parameters }: Challenge): boolean {
  return scheme === 'dpop' && FAULTS_OF_PROOFS.has(parameters.get('error'));
}

/**
 * Returns the value of the header `Authorization` for a token.
 *
 * @throws {UnusableTokenError} before `fetch` would refuse it by an error that shows it
 * @see RFC 6750 §2.1, RFC 9449 §7.1
 */
export function formatAuthorization(token: string, scheme: 'Bearer' | 'DPoP' = 'Bearer'): string {
  // Not every issuer keeps to the characters of RFC 6750 §2.1.
  if (!isHeaderWord(token)) throw new UnusableTokenError(token === '');
  return `${scheme} ${token}`;
}
