import type { InterruptListener } from '../../context/interruption.interface.js';
import type { RequestContext } from '../../context/request-context.js';

/** A request that may end before its handler does. */
export type Interruptible = Pick<RequestContext, 'onInterrupt' | 'isSettled' | 'signal'>;

/** Calls a listener if a request ends before its handler. Returns a function that removes the listener. */
export function hearInterruption(context: Interruptible, listener: InterruptListener): () => void {
  const before = context.onInterrupt;
  const hear: InterruptListener = (interruption) => {
    listener(interruption);
    before?.(interruption);
  };
  context.onInterrupt = hear;
  return () => {
    if (context.onInterrupt === hear) context.onInterrupt = before;
  };
}

/**
 * Refuses to go on with a request that is over: it was cancelled, or has waited for too long.
 *
 * @throws {DOMException} the reason of its signal
 */
export function assertWanted({ isSettled, signal }: Interruptible): void {
  if (isSettled) signal.throwIfAborted();
}
