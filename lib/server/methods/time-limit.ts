import { callAfter } from '../../core/async/timers.js';
import type { InterruptListener } from '../context/request-parts.interface.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool-errors.js';

/**
 * Runs a handler with a time limit. If it is exceeded, the signal is aborted and the request fails, regardless of
 * what the handler does.
 */
export function limitTime<Value>(
  context: RequestContext,
  timeoutMs: number | undefined,
  run: () => Promise<Value>,
): Promise<Value>;
export function limitTime<Value>(
  context: RequestContext,
  timeoutMs: number | undefined,
  run: () => Value | Promise<Value>,
): Value | Promise<Value>;
export function limitTime<Value>(
  context: RequestContext,
  timeoutMs: number | undefined,
  run: () => Value | Promise<Value>,
): Value | Promise<Value> {
  return timeoutMs === undefined ? run() : runFor(context, timeoutMs, run);
}

async function runFor<Value>(
  context: RequestContext,
  timeoutMs: number,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  const stopClock = callAfter(timeoutMs, () => context.fail(new TimeLimitError(timeoutMs)));
  const { onInterrupt } = context;
  // An interrupted handler may never return, so its timer must not retain its arguments.
  const interrupt: InterruptListener = (interruption) => {
    stopClock();
    onInterrupt?.(interruption);
  };
  context.onInterrupt = interrupt;
  try {
    return await run();
  } finally {
    stopClock();
  }
}

/** The handler exceeded its time limit. */
export class TimeLimitError extends ToolError {
  constructor(readonly timeoutMs: number) {
    super(`The call took longer than ${timeoutMs} ms and was stopped`);
  }
}
