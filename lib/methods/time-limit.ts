import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool.error.js';

/**
 * Runs a handler for at most so long: then its signal is aborted and the request fails, whatever the handler does.
 */
export async function limitTime<Value>(
  context: RequestContext,
  timeoutMs: number | undefined,
  run: () => Value | Promise<Value>,
): Promise<Value> {
  if (timeoutMs === undefined) return run();
  // A handler that ignores its signal must not keep the process alive.
  const timer = setTimeout(() => context.fail(new TimeLimitError(timeoutMs)), timeoutMs).unref();
  try {
    return await run();
  } finally {
    clearTimeout(timer);
  }
}

/** The handler took longer than it may. */
export class TimeLimitError extends ToolError {
  constructor(readonly timeoutMs: number) {
    super(`The call took longer than ${timeoutMs} ms and was stopped`);
  }
}
