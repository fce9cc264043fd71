import { ErrorCode } from './error-codes.js';
import { parseRetryAfter } from './headers/http-headers.js';
import { isObject } from './json-rpc.js';
import { McpError } from './mcp.error.js';

/** The limit that a caller exceeded (SEP-3304). */
export interface RateLimit {
  /** Milliseconds after which the caller may try again. */
  readonly retryAfterMs: number;
  /** The number of requests that the current window permits. @default unknown */
  readonly limit?: number;
  /** The number of requests left in the current window. @default unknown */
  readonly remaining?: number;
}

/**
 * Rejects a request because its caller exceeds a rate or concurrency limit. If the response has not started, its HTTP
 * status is 429, with `Retry-After`. Otherwise it is the JSON-RPC error -32023. If a tool exceeds the limit of
 * another service, throw a `ToolError` instead.
 *
 * @example
 * throw new RateLimitedError('Ten reports an hour are enough: come back later', { retryAfterMs: 60_000 });
 *
 * @see SEP-3304, "Standardize Rate-Limiting Errors"
 */
export class RateLimitedError extends McpError {
  override readonly retryAfterSeconds?: number;

  /** @throws {RangeError} if a property of the limit is less than 0 or greater than `Number.MAX_SAFE_INTEGER` */
  constructor(message: string, { retryAfterMs, limit, remaining }: RateLimit) {
    const limits = Object.entries({ retryAfterMs, limit, remaining }).filter(
      ([, value]) => value !== undefined,
    );
    const whole = limits.map(([name, value]) => [name, roundUpCount(name, value)]);
    super(ErrorCode.RateLimited, message, Object.fromEntries(whole), 429);
    this.retryAfterSeconds = Math.ceil(retryAfterMs / 1000);
  }
}

/** Rejects a call because too many calls of its kind are running. */
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

/**
 * Larger numbers are not exact, and the largest are written with an exponent, which no header allows (RFC 9110
 * §10.2.3).
 */
const LARGEST = Number.MAX_SAFE_INTEGER;

/**
 * Rounds a number up, because the protocol uses whole numbers.
 *
 * @throws {RangeError} if it is less than 0, or too large to be exact
 */
export function roundUpCount(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LARGEST) return Math.ceil(value);
  throw new RangeError(`"${name}" must be a number from 0 to ${LARGEST}`);
}

/** The size limit for a body that is read for rate limit information. */
const LONGEST_BODY_BYTES = 65_536;

/** The time limit for reading it. */
const LONGEST_MS = 5000;

/** A server responded with 429, with or without a body. */
export class RateLimitedResponseError extends Error {
  override readonly name = 'LimitedAnswerError';
  readonly status = 429;

  constructor(readonly rateLimit: RateLimit | undefined) {
    super('The server responded with status 429, because it limits requests');
  }
}

/** Reads a response with status 429. Its JSON-RPC error takes precedence over `Retry-After` (SEP-3304, RL-9). */
export async function readRateLimitedResponse(response: Response): Promise<RateLimitedResponseError> {
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after') ?? undefined, Date.now());
  const rateLimit =
    parseBody(await readBody(response)) ?? (retryAfterMs === undefined ? undefined : { retryAfterMs });
  return new RateLimitedResponseError(rateLimit);
}

/** Reads a body up to the limits. A truncated body is not valid JSON. */
async function readBody({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  const clock = setTimeout(cancel, LONGEST_MS);
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      if (length > LONGEST_BODY_BYTES) break;
      text += decoder.decode(part.value, { stream: true });
    }
  } catch {
    return '';
  } finally {
    clearTimeout(clock);
    cancel();
  }
  return length > LONGEST_BODY_BYTES ? '' : text;
}

function parseBody(text: string): RateLimit | undefined {
  try {
    return findRateLimit((JSON.parse(text) as { readonly error?: unknown } | null)?.error);
  } catch {
    return undefined;
  }
}

/** Errors are nested only a few levels deep. */
const DEEPEST = 5;

/** Finds the limit that a request exceeded, in an error or its cause. Returns `undefined` for other errors. */
export function findServerLimit(error: unknown): RateLimit | undefined {
  let one: unknown = error;
  for (let depth = 0; depth < DEEPEST && typeof one === 'object' && one !== null; depth += 1) {
    if (one instanceof RateLimitedResponseError) return one.rateLimit ?? { retryAfterMs: 0 };
    const found = findRateLimit(one);
    if (found !== undefined) return found;
    one = 'cause' in one ? one.cause : undefined;
  }
  return undefined;
}
