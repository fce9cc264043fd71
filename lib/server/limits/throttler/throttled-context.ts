import type { ExecutionContext } from '@nestjs/common';
import type { RequestContext } from '../../context/request-context.js';
import { HandlerCall } from '../../catalogue/invocation/handler-call.js';
import { HandlerExecutionContext } from '../../catalogue/invocation/handler-execution-context.js';
import type { ThrottledTarget } from './throttled-target.js';

/** A request as the package and the functions of the application see it that decide on its limit. */
export class ThrottledContext extends HandlerExecutionContext {
  readonly key: readonly string[];
  /** Whether the caller is told how many requests there are in a window. */
  showsLimit = true;

  constructor(
    { classRef, handler, key }: ThrottledTarget,
    readonly request: RequestContext,
    args: unknown,
  ) {
    const host = { getClass: () => classRef, getHandler: () => handler } as Partial<ExecutionContext>;
    super(new HandlerCall(args, request), host);
    this.key = key;
  }
}
