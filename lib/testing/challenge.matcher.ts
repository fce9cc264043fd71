import { ChallengeSyntaxError, parseChallenges, type Challenge } from '../core/oauth/parse-challenges.js';
import { buildOutcome, quote, type MatcherOutcome } from './matcher.interface.js';

/** The expected challenge. A parameter that is left out may have any value. */
export interface ExpectedChallenge {
  /** The status of the response. */
  readonly status?: number;
  /** Why the request was refused. */
  readonly error?: string | RegExp;
  /** The scopes of the challenge, in any order. */
  readonly scope?: string | RegExp;
  /** Any other parameter, such as `resource_metadata`. */
  readonly [parameter: string]: string | RegExp | number | undefined;
}

/**
 * Matches a response with a `Bearer` challenge.
 *
 * @see RFC 6750 §3, RFC 9728 §5.1
 */
export function toChallenge(received: unknown, expected: ExpectedChallenge = {}): MatcherOutcome {
  if (!isResponse(received)) {
    throw new TypeError(`A "Response" was expected, as "fetch()" gives it, but found ${quote(received)}`);
  }
  const { status, ...parameters } = expected;
  const header = received.headers.get('www-authenticate');
  const challenges = readBearer(header);
  const pass =
    (status === undefined || received.status === status) &&
    challenges.some((challenge) =>
      Object.entries(parameters).every(([name, value]) => hasParameter(challenge, name, value)),
    );
  const found = header === null ? 'no challenge' : quote(header);
  return buildOutcome(pass, `challenge with ${format(expected)}`, `status ${received.status} and ${found}`);
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null || !('status' in value) || !('headers' in value))
    return false;
  return typeof (value.headers as { get?: unknown } | null)?.get === 'function';
}

function readBearer(header: string | null): readonly Challenge[] {
  try {
    return parseChallenges(header ?? '').filter(({ scheme }) => scheme === 'bearer');
  } catch (error) {
    if (error instanceof ChallengeSyntaxError) return [];
    throw error;
  }
}

function hasParameter(
  { parameters }: Challenge,
  name: string,
  expected: string | RegExp | number | undefined,
): boolean {
  if (expected === undefined) return true;
  const value = parameters.get(name);
  if (value === undefined) return false;
  if (expected instanceof RegExp) return value.search(expected) >= 0;
  return name === 'scope' ? sort(value) === sort(String(expected)) : value === String(expected);
}

function sort(scope: string): string {
  return scope.split(' ').toSorted().join(' ');
}

function format(expected: ExpectedChallenge): string {
  const members = Object.entries(expected).map(([name, value]) => `${name} ${quote(value)}`);
  return members.length === 0 ? 'any parameters' : members.join(', ');
}
