import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** Who has the memory that is taken. */
export type MemoryLimitScope = 'caller' | 'process';

/** There is no room for what a caller makes the server keep: at the moment, or ever. */
export class MemoryLimitError extends McpError {
  override readonly retryAfterSeconds?: number;

  /**
   * @param retryAfterSeconds when some of what takes the room ends by itself; absent if there never is room
   * @param scope whose room is taken. A caller alone must not cause what looks like a failure of the server
   */
  constructor(retryAfterSeconds?: number, scope: MemoryLimitScope = 'caller') {
    if (retryAfterSeconds === undefined) super(ErrorCode.InvalidRequest, TOO_LARGE, undefined, 413);
    else if (scope === 'process') super(ErrorCode.InternalError, FULL, { retryAfterSeconds }, 503);
    else super(ErrorCode.RateLimited, USED_UP, { retryAfterMs: retryAfterSeconds * 1000 }, 429);
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
  }
}

const TOO_LARGE =
  'Invalid request: this takes more memory than one caller may have: send less, or have "memory" raised';

const FULL =
  'The server has no memory left for this: wait for answers, end what is not needed, or try again later';

const USED_UP =
  'You use all the memory that you may have: wait for answers, end what is not needed, or try again later';

/**
 * Bytes of heap that objects take, in addition to the text from clients. The figures were measured and rounded up;
 * `test/e2e/memory` holds them against the heap.
 */
export const HeapCost = {
  /** A request that runs: its HTTP exchange, its context, and what waits for its handler. */
  request: 16_384,
  /** Each further request of a batch, which shares the HTTP exchange. */
  batched: 6144,
  /** A session of a client that has shaken hands. */
  session: 2048,
  /** An event in the log of a session, with what is known of its stream. */
  event: 400,
  /** A resource that a session or a stream is subscribed to. */
  subscription: 160,
  /** A task, in the store and beside it. */
  task: 2048,
  /** A proof that was used, in a second of its own. */
  usedProof: 256,
  /** An event of the audit that somebody is about to keep, with the promise of that, besides its values. */
  audited: 1024,
  /** A subscription of a webhook. */
  webhook: 4096,
  /** Where the values of a caller are, or those behind a handle. */
  state: 1024,
  /** A value of these. */
  stateValue: 256,
} as const;

/** In characters of JSON. */
const LONGEST_CONCISE = 65_536;

/**
 * Refuses a long value that would be kept as long as a session or a stream lasts. Many of them would fill the memory.
 *
 * @param named what the caller calls it, with its quotes
 * @param whole the size of the whole request. A small request cannot contain a long value, and is not checked
 * @throws {McpError} -32602 if it is too long, or too deep to tell
 */
export function assertConcise(kept: object, named: string, whole?: { readonly bytes: number }): void {
  if (whole !== undefined && whole.bytes < HeapCost.request + LONGEST_CONCISE) return;
  if (format(kept, named).length <= LONGEST_CONCISE) return;
  throw McpError.invalidParams(`${named} may have ${LONGEST_CONCISE} characters of JSON at most`);
}

function format(kept: object, named: string): string {
  try {
    return JSON.stringify(kept);
  } catch {
    throw McpError.invalidParams(`${named} may not be nested too deeply`);
  }
}
