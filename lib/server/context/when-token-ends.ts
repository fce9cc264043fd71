import type { Claims } from '../../core/oauth/claims.js';
import { callAt } from '../../core/waiting/call-at.js';

/** Calls a function when a token expires, if it has an end. Returns a function that stops the timer. */
export function whenTokenEnds({ expiresAt }: Pick<Claims, 'expiresAt'>, act: () => void): () => void {
  return expiresAt === undefined ? () => {} : callAt(expiresAt * 1000, act);
}
