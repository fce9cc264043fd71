import type { ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { GuardedRequest } from '../guarded-request.interface.js';

/**
 * Finds request and response. For each request `switchToHttp()` makes three functions, which costs half as much as a digest:
 * Nest's own contexts do without. Those that somebody made otherwise may have nothing else.
 */
export function findRequest(context: ExecutionContext): Pick<GuardedRequest, 'request' | 'response'> {
  if (context.switchToHttp === ExecutionContextHost.prototype.switchToHttp) {
    return { request: context.getArgByIndex(0), response: context.getArgByIndex(1) };
  }
  const http = context.switchToHttp();
  return { request: http.getRequest(), response: http.getResponse() };
}
