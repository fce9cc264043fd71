import type { Challenge } from '../oauth/parse-challenges.js';
import { readChallenges } from '../oauth/read-challenges.js';

/** The `Bearer` challenge, or the `DPoP` challenge if bearer tokens are not accepted. */
export interface BearerFinding {
  readonly challenge: Challenge | undefined;
  /** What is wrong with it; absent if all is well. */
  readonly problem: string | undefined;
  /** Whether the header is malformed, so that its content is only a hint. @default false */
  readonly isMalformed?: boolean;
}

/** Reads that challenge, and finds what is wrong with it. */
export function readBearer(header: string): BearerFinding {
  const { challenges, problem } = readChallenges(header);
  const find = (name: string) => challenges.find(({ scheme }) => scheme === name);
  const challenge = find('bearer') ?? find('dpop');
  if (problem !== undefined)
    return { challenge, problem: `"WWW-Authenticate" is malformed: ${problem}`, isMalformed: true };
  if (challenge !== undefined) return { challenge, problem };
  return { challenge, problem: '"WWW-Authenticate" has no challenge of the scheme "Bearer" or "DPoP"' };
}
