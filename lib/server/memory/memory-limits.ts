import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** Whose limit was reached. */
export type MemoryLimitScope = 'caller' | 'process';

/** A caller's state does not fit in memory, at the moment or ever. */
export class MemoryLimitError extends McpError {
  override readonly retryAfterSeconds?: number;

  /**
   * @param retryAfterSeconds when some of the memory becomes free; absent if the state can never fit
   * @param scope whose limit was reached, because a single caller must not trigger what looks like a server failure
   */
  constructor(retryAfterSeconds?: number, scope: MemoryLimitScope = 'caller') {
    if (retryAfterSeconds === undefined) super(ErrorCode.InvalidRequest, TOO_LARGE, undefined, 413);
    else if (scope === 'process') super(ErrorCode.InternalError, FULL, { retryAfterSeconds }, 503);
    else super(ErrorCode.RateLimited, USED_UP, { retryAfterMs: retryAfterSeconds * 1000 }, 429);
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

const TOO_LARGE =
  'Invalid request: it requires more memory than a single caller may use: send less data, or raise "memory"';

const FULL =
  'The server does not have enough free memory for this: wait for responses, close what you no longer need, or try again later';

const USED_UP =
  'You have reached your memory limit: wait for responses, close what you no longer need, or try again later';

/**
 * Heap bytes per object, in addition to its strings. The values were measured and rounded up; `test/e2e/memory`
 * compares them with the heap.
 */
export const HeapCost = {
  /** A running request: its HTTP exchange, its context and its pending handler. */
  request: 16_384,
  /** Each further request in a batch, which shares the HTTP exchange. */
  batched: 6144,
  /** An initialized session. */
  session: 2048,
  /** An event in a session log, with its stream's state. */
  event: 400,
  /** A session's or a stream's resource subscription. */
  subscription: 160,
  /** A task, in the store and in memory. */
  task: 2048,
  /** A used DPoP proof, counting a full bucket for it. */
  usedProof: 256,
  /** An audit event that is about to be stored, with its promise, excluding its values. */
  audited: 1024,
  /** A webhook subscription. */
  webhook: 4096,
  /** A record of a caller's values, or of the values behind a handle. */
  state: 1024,
  /** One such value. */
  stateValue: 256,
} as const;

/** In characters of JSON. */
const LONGEST_CONCISE = 65_536;

/**
 * Rejects a long value that would be retained for the lifetime of a session or a stream, because many of them would
 * fill the memory.
 *
 * @param named the caller's name for it, quoted
 * @param whole the size of the whole request. A small request cannot contain a long value and skips the check
 * @throws {McpError} -32602 if it is too long, or nested too deeply to measure
 */
export function assertConcise(stored: object, named: string, whole?: { readonly bytes: number }): void {
  if (whole !== undefined && whole.bytes < HeapCost.request + LONGEST_CONCISE) return;
  if (format(stored, named).length <= LONGEST_CONCISE) return;
  throw McpError.invalidParams(`${named} must not exceed ${LONGEST_CONCISE} characters of JSON`);
}

function format(stored: object, named: string): string {
  try {
    return JSON.stringify(stored);
  } catch {
    throw McpError.invalidParams(`${named} must not be nested too deeply`);
  }
}
