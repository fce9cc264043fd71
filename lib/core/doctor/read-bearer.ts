import type { Challenge } from '../oauth/parse-challenges.js';
import { readChallenges } from '../oauth/read-challenges.js';

/** The challenge of the scheme `Bearer`, or of `DPoP` if bearer tokens are not taken, as far as there is one. */
export interface BearerFinding {
  readonly challenge: Challenge | undefined;
  /** What is wrong with it; absent if all is well. */
  readonly fault: string | undefined;
  /** Whether the header is not written as it must be, so that what it says is a hint. @default false */
  readonly isMalformed?: boolean;
}

/** Reads that challenge, and says what is wrong with it. */
export function readBearer(header: string): BearerFinding {
  const { challenges, fault } = readChallenges(header);
  const find = (name: string) => challenges.find(({ scheme }) => scheme === name);
  const challenge = find('bearer') ?? find('dpop');
  if (fault !== undefined)
    return { challenge, fault: `"WWW-Authenticate" is malformed: ${fault}`, isMalformed: true };
  if (challenge !== undefined) return { challenge, fault };
  return { challenge, fault: '"WWW-Authenticate" has no challenge of the scheme "Bearer" or "DPoP"' };
}
