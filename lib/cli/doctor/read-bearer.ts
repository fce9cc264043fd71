import { ChallengeSyntaxError, parseChallenges, type Challenge } from '../../core/oauth/parse-challenges.js';

/** Reads the challenge of the scheme `Bearer`, or says why there is none. */
export function readBearer(header: string): Challenge | string {
  try {
    const bearer = parseChallenges(header).find(({ scheme }) => scheme === 'bearer');
    return bearer ?? '"WWW-Authenticate" has no challenge of the scheme "Bearer"';
  } catch (error) {
    if (error instanceof ChallengeSyntaxError) return `"WWW-Authenticate" is malformed: ${error.message}`;
    throw error;
  }
}
