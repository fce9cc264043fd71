import { getHeapStatistics } from 'node:v8';
import * as check from '../../core/checks/option-checks.js';
import type { Check } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import type { StructureLimits } from '../../core/protocol/measured-json.js';

/** Limits on requests and results. */
export interface LimitOptions {
  /** The maximum size of a request body, in bytes. A larger one is rejected with 413 and -32600. @default 4_194_304 */
  readonly bodyBytes?: number;
  /** The maximum number of values in a request body. Each object and each array counts twice. More are rejected with 413 and -32600. @default 25_000 */
  readonly bodyValues?: number;
  /**
   * The maximum nesting depth of objects and arrays in a request body. A more deeply nested body is rejected with 400
   * and -32600.
   * @default 512
   */
  readonly bodyDepth?: number;
  /**
   * How long a request body may take to arrive, in milliseconds; afterwards the server responds with 408. Clients
   * have the same time to read a response or a long message on a stream.
   * @default 60_000
   */
  readonly transferTimeoutMs?: number;
  /** The maximum number of messages in one JSON-RPC batch. More are rejected with 400 and -32600. @default 100 */
  readonly batchSize?: number;
  /** The maximum number of concurrent requests per session. Further ones are rejected with -32603. @default 256 */
  readonly requestsInFlight?: number;
  /**
   * The maximum size of a streamed resource, in bytes. Reading a longer one fails with -32603. @default 16_777_216
   */
  readonly resourceBytes?: number;
  /**
   * The maximum size of the response to a tool call, a resource read or a prompt, in bytes. Longer text content is
   * truncated. Any other content that exceeds the limit causes an error.
   * @default no limit
   * @see docs/rate-limiting.md, "Response size"
   */
  readonly resultBytes?: number;
  /**
   * The accepted media types of a request body. Any other media type is rejected with 415.
   * @default ['application/json']
   */
  readonly contentTypes?: readonly string[];
}

/** A smaller limit would not leave room for the truncation notice. */
const LEAST = 1024;

/** Checks a response's limit. */
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

/** Returns how many nested values a client's message may contain. */
export function selectStructureBounds({
  limits,
}: {
  readonly limits: Required<LimitOptions>;
}): StructureLimits {
  return { values: limits.bodyValues, depth: limits.bodyDepth };
}

/** How `@nestjs/throttler` limits requests. */
export interface ThrottleOptions {
  /** Methods to limit in addition to handler calls, such as `tools/list` and `ping`. @default [] */
  readonly methods?: readonly string[];
  /**
   * Whether calls are allowed, or rejected with 503, while the storage is failing or does not respond within a
   * second. @default 'allow'
   */
  readonly onStorageError?: 'allow' | 'deny';
}

export const THROTTLE = optionGroup<ThrottleOptions>({
  methods: [check.list(check.nonEmptyString), []],
  onStorageError: [check.oneOf('allow', 'deny'), 'allow'],
});

/** Memory limits, in heap bytes as estimated by the server. */
export interface MemoryOptions {
  /**
   * The total memory limit for sessions, event logs, in-flight requests, tasks and subscriptions, in bytes. Requests
   * beyond it are rejected with 503.
   * @default a quarter of the heap limit
   * @see docs/reliability.md, "Memory"
   */
  readonly maxBytes?: number;
  /** The memory limit per caller, in bytes, if callers are known. Requests beyond it are rejected with 429 and -32023. @default a quarter of `maxBytes` */
  readonly maxBytesPerCaller?: number;
  /**
   * The memory limit for all anonymous callers combined, in bytes. Requests beyond it are rejected with 429 and
   * -32023. @default half of `maxBytes`; all of it without `auth`
   */
  readonly maxAnonymousBytes?: number;
  /**
   * The memory limit for the anonymous callers at one address, in bytes. IPv6 addresses count by their first 64 bits.
   * Requests beyond it are rejected with 429 and -32023.
   * @default a tenth of `maxAnonymousBytes`, at least the size of the longest body, at most half
   */
  readonly maxBytesPerAddress?: number;
}

/**
 * The rest of the heap is left for parsing requests and serializing responses, which need about the same amount
 * again.
 */
const HEAP_SHARE = 0.25;

/** Callers without a token at one address share one of this many parts. */
const ADDRESS_SHARE = 10;

/** A request's memory in addition to its body. */
const REQUEST_BYTES = 65_536;

/** The other settings that the memory limits depend on. */
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

/**
 * With little memory, the share is larger so that the longest body fits, because a string may occupy two bytes per
 * body byte.
 */
function selectAddressShare(anonymousBytes: number, bodyBytes: number): number {
  const longest = Math.min(2 * bodyBytes + REQUEST_BYTES, anonymousBytes / 2);
  return Math.floor(Math.max(anonymousBytes / ADDRESS_SHARE, longest));
}
