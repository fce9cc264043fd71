import type { Interruptible } from './hear-interruption.js';

/**
 * Refuses to go on with a request that is over: it was cancelled, or has waited for too long.
 *
 * @throws {DOMException} the reason of its signal
 */
export function assertWanted({ isSettled, signal }: Interruptible): void {
  if (isSettled) signal.throwIfAborted();
}
