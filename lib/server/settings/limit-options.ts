import { getHeapStatistics } from 'node:v8';
import * as check from '../../core/checks/option-checks.js';
import type { Check } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import type { StructureLimits } from '../../core/protocol/measured-json.js';

/** Bounds of requests. */
export interface LimitOptions {
  /** The maximum size of a request body, in bytes. A larger one is rejected with 413 and -32600. @default 4_194_304 */
  readonly bodyBytes?: number;
  /** The maximum number of values in a request body. Each object and each array counts twice. More are rejected with 413 and -32600. @default 25_000 */
  readonly bodyValues?: number;
  /** The maximum nesting depth of objects and arrays in a request body. A deeper one is rejected with 400 and -32600. @default 512 */
  readonly bodyDepth?: number;
  /**
   * Milliseconds within which a body must arrive, else the status is 408. A response or a long message on a stream may
   * stay unread for the same time.
   * @default 60_000
   */
  readonly transferTimeoutMs?: number;
  /** The maximum number of messages in one JSON-RPC batch. More are rejected with 400 and -32600. @default 100 */
  readonly batchSize?: number;
  /** The maximum number of concurrent requests per session. Further ones are rejected with -32603. @default 256 */
  readonly requestsInFlight?: number;
  /** The maximum size of a streamed resource, in bytes. Reading more fails with -32603. @default 16_777_216 */
  readonly resourceBytes?: number;
  /**
   * The maximum size of the response to a tool call, a read or a prompt, in bytes. Longer text content is truncated. Any other content that exceeds it
   * is an error.
   * @default no limit
   * @see docs/rate-limiting.md, "Response size"
   */
  readonly resultBytes?: number;
  /** The accepted media types of a request body. Any other one is rejected with 415. @default ['application/json'] */
  readonly contentTypes?: readonly string[];
}

/** A smaller limit could not fit the truncation notice. */
const LEAST = 1024;

/** Checks the limit of a response. */
export const resultBytes: Check = (option, value) => {
  if (Number.isSafeInteger(value) && Number(value) >= LEAST) return;
  check.fail(option, `must be a whole number of bytes, ${LEAST} or more`);
};

export const LIMITS = optionGroup<LimitOptions>({
  bodyBytes: [check.positive, 4 * 1_048_576],
  bodyValues: [check.positive, 25_000],
  bodyDepth: [check.positive, 512],
  transferTimeoutMs: [check.milliseconds, 60_000],
  batchSize: [check.positive, 100],
  requestsInFlight: [check.positive, 256],
  resourceBytes: [check.positive, 16 * 1_048_576],
  resultBytes: [resultBytes, Infinity],
  contentTypes: [check.nonEmptyList(check.mediaType), ['application/json']],
});

/** Returns how much structure a message of a client may have. */
export function selectStructureBounds({
  limits,
}: {
  readonly limits: Required<LimitOptions>;
}): StructureLimits {
  return { values: limits.bodyValues, depth: limits.bodyDepth };
}

/** How `@nestjs/throttler` limits requests. */
export interface ThrottleOptions {
  /** Methods to limit in addition to calls of handlers, such as `tools/list` and `ping`. @default [] */
  readonly methods?: readonly string[];
  /** Whether calls are allowed, or rejected with 503, while the storage fails or does not respond within a second. @default 'allow' */
  readonly onStorageError?: 'allow' | 'deny';
}

export const THROTTLE = optionGroup<ThrottleOptions>({
  methods: [check.list(check.nonEmptyString), []],
  onStorageError: [check.oneOf('allow', 'deny'), 'allow'],
});

/** Bounds of memory, in bytes of heap that the server estimates. */
export interface MemoryOptions {
  /**
   * The memory limit for sessions, event logs, requests in flight, tasks and subscriptions together, in bytes. A request
   * that would exceed it receives 503.
   * @default a quarter of the heap's limit
   * @see docs/reliability.md, "Memory"
   */
  readonly maxBytes?: number;
  /** The memory limit per caller, in bytes, if callers are known. Requests beyond it are rejected with 429 and -32023. @default a quarter of `maxBytes` */
  readonly maxBytesPerCaller?: number;
  /** The memory limit for all anonymous callers together, in bytes. Requests beyond it are rejected with 429 and -32023. @default half of `maxBytes`; all of it without `auth` */
  readonly maxAnonymousBytes?: number;
  /**
   * The memory limit for the anonymous callers at one address, in bytes. IPv6 addresses count by their first 64 bits. A
   * request beyond it receives 429 with -32023.
   * @default a tenth of `maxAnonymousBytes`, at least the size of the longest body, at most half
   */
  readonly maxBytesPerAddress?: number;
}

/** The rest of the heap is left for parsing requests and serializing responses, which need about as much again. */
const HEAP_SHARE = 0.25;

/** Callers without a token at one address have one of so many parts. */
const ADDRESS_SHARE = 10;

/** The memory of a request in addition to its body. */
const REQUEST_BYTES = 65_536;

/** What else the bounds of memory depend on. */
interface MemoryContext {
  readonly hasAuth: boolean;
  readonly bodyBytes: number;
}

export const MEMORY = optionGroup<MemoryOptions, never, MemoryContext>({
  maxBytes: [check.positive, () => Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE)],
  maxBytesPerCaller: [check.positive, ({ maxBytes }) => Math.floor(maxBytes / 4)],
  maxAnonymousBytes: [
    check.positive,
    ({ maxBytes }, { hasAuth }) => (hasAuth ? Math.floor(maxBytes / 2) : maxBytes),
  ],
  maxBytesPerAddress: [
    check.positive,
    ({ maxAnonymousBytes }, { bodyBytes }) => selectAddressShare(maxAnonymousBytes, bodyBytes),
  ],
});

/** With little memory the share is larger, so that the longest body fits: a string may occupy two bytes per byte of the body. */
function selectAddressShare(ofStrangers: number, bodyBytes: number): number {
  const longest = Math.min(2 * bodyBytes + REQUEST_BYTES, ofStrangers / 2);
  return Math.floor(Math.max(ofStrangers / ADDRESS_SHARE, longest));
}
