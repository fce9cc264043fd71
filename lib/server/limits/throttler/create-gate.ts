import { hash } from 'node:crypto';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { ThrottlerLimitDetail, ThrottlerRequest } from '@nestjs/throttler';
import { Logger } from '../../../core/logger/logger.js';
import { RateLimitedError } from '../../../core/protocol/rate-limited.error.js';
import { RefusalLog } from '../../log/refusal-log.js';
import { nameCaller } from '../../context/name-caller.js';
import type { ThrottlerPackage, ThrottlerParts } from './load-throttler.js';
import type { ThrottledContext } from './throttled-context.js';

/** Lets requests in, or throws. */
export interface ThrottleGate {
  /** @throws {RateLimitedError} if the request is one too many */
  canActivate(context: ThrottledContext): Promise<boolean>;
}

/** Stands for the HTTP request if there was none. */
const NO_REQUEST = Object.freeze({ headers: Object.freeze({}) });

/**
 * Creates what counts requests: the package's own guard, which counts by caller and handler and answers in the words of MCP.
 *
 * @param server the key of the server; two of one application do not share counts
 */
export async function createGate(
  { ThrottlerGuard }: ThrottlerPackage,
  { options, storage }: ThrottlerParts,
  server: string,
): Promise<ThrottleGate> {
  const refusals = new RefusalLog(new Logger('McpThrottler'));

  class McpThrottler extends ThrottlerGuard {
    protected override async getTracker(_request: unknown, context?: ExecutionContext): Promise<string> {
      return nameCaller((context as ThrottledContext).request);
    }

    protected override generateKey(context: ExecutionContext, tracker: string, throttler: string): string {
      const { key } = context as ThrottledContext;
      return hash('sha256', JSON.stringify(['mcp', server, ...key, throttler, tracker]), 'hex');
    }

    protected override getRequestResponse(context: ExecutionContext) {
      const http = context.switchToHttp();
      const req = http.getRequest<Record<string, unknown> | undefined>() ?? NO_REQUEST;
      return { req, res: http.getResponse<Record<string, unknown>>() };
    }

    protected override handleRequest(request: ThrottlerRequest): Promise<boolean> {
      const { setHeaders = this.commonOptions.setHeaders ?? true } = request.throttler;
      (request.context as ThrottledContext).showsLimit = setHeaders;
      return super.handleRequest(request);
    }

    protected override async throwThrottlingException(
      context: ExecutionContext,
      detail: ThrottlerLimitDetail,
    ): Promise<void> {
      const { limit, totalHits, timeToBlockExpire, key, ttl } = detail;
      const retryAfterMs = Math.max(0, timeToBlockExpire) * 1000;
      const given = await this.getErrorMessage(context, detail);
      const text =
        given === this.errorMessage ? `Too many requests: try again in ${timeToBlockExpire} s` : given;
      const quota = { limit, remaining: Math.max(0, limit - totalHits) };
      const { showsLimit, request } = context as ThrottledContext;
      const line = `A call was refused by its limit: ${limit} in ${ttl / 1000} s`;
      refusals.tell(line, request, key);
      throw new RateLimitedError(text, { retryAfterMs, ...(showsLimit && quota) });
    }
  }
  const gate = new McpThrottler(options, storage, new Reflector());
  await gate.onModuleInit();
  return gate;
}
