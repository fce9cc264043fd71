import { ErrorCode } from './error-codes.js';
import { isObject } from './json-rpc.js';
import { McpError } from './mcp.error.js';
import { roundUpCount } from './round-up-count.js';

/** The limit that a caller exceeded (SEP-3304). */
export interface RateLimit {
  /** Milliseconds after which the caller may try again. */
  readonly retryAfterMs: number;
  /** Requests that the current window permits. @default unknown */
  readonly limit?: number;
  /** Requests that are left in the current window. @default unknown */
  readonly remaining?: number;
}

/**
 * Refuses a request because its caller exceeds a rate or concurrency limit. If the response has not begun, its HTTP
 * status is 429, with `Retry-After`. Otherwise it is the JSON-RPC error -32023. If a tool exceeds the limit of another
 * service, throw a `ToolError` instead.
 *
 * @example
 * throw new RateLimitedError('Ten reports an hour are enough: come back later', { retryAfterMs: 60_000 });
 *
 * @see SEP-3304, "Standardize Rate-Limiting Errors"
 */
export class RateLimitedError extends McpError {
  override readonly retryAfterSeconds?: number;

  /** @throws {RangeError} if a member of the limit is not 0 or more, or is more than `Number.MAX_SAFE_INTEGER` */
  constructor(message: string, { retryAfterMs, limit, remaining }: RateLimit) {
    const limits = Object.entries({ retryAfterMs, limit, remaining }).filter(
      ([, value]) => value !== undefined,
    );
    const whole = limits.map(([name, value]) => [name, roundUpCount(name, value)]);
    super(ErrorCode.RateLimited, message, Object.fromEntries(whole), 429);
    this.retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  }
}

/** Refuses a call because too many of its kind are running. */
export class ConcurrencyLimitedError extends RateLimitedError {}

/** Reads the limit from an error, or returns `undefined` for other errors. */
export function findRateLimit(error: unknown): RateLimit | undefined {
  if (!isObject(error) || error['code'] !== ErrorCode.RateLimited || !isObject(error['data']))
    return undefined;
  const { retryAfterMs, limit, remaining } = error['data'];
  if (!isCount(retryAfterMs)) return undefined;
  return { retryAfterMs, ...(isCount(limit) && { limit }), ...(isCount(remaining) && { remaining }) };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}
