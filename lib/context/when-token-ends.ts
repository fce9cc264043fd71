import type { Claims } from '../oauth/claims.js';
import { LONGEST_TIMER_MS } from '../settings/longest-timer.js';

/** Calls a function when a token ends, unless it has no end; gives what stops the clock. */
export function whenTokenEnds({ expiresAt }: Pick<Claims, 'expiresAt'>, act: () => void): () => void {
  if (expiresAt === undefined) return () => {};
  const remainingMs = Math.max(expiresAt * 1000 - Date.now(), 0);
  const timer = setTimeout(act, Math.min(remainingMs, LONGEST_TIMER_MS)).unref();
  return () => clearTimeout(timer);
}
