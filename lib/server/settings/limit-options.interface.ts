/** Bounds of requests. */
export interface LimitOptions {
  /** The most bytes of a request body. The answer to a larger one is 413. @default 4_194_304 */
  readonly bodyBytes?: number;
  /** The most values in a request body. Each object and each array counts twice. The answer to more is 413. @default 25_000 */
  readonly bodyValues?: number;
  /** The greatest depth of objects and arrays in a request body. The answer to more is 400. @default 512 */
  readonly bodyDepth?: number;
  /**
   * Milliseconds that a body may take to arrive, after which the answer is 408. An answer or a long message on a stream
   * may stay unread as long.
   * @default 60_000
   */
  readonly transferTimeoutMs?: number;
  /** Messages in one JSON-RPC batch. @default 100 */
  readonly batchSize?: number;
  /** Requests of one session that may run at once. @default 256 */
  readonly requestsInFlight?: number;
  /** Bytes of the stream of a resource. @default 16_777_216 */
  readonly resourceBytes?: number;
  /**
   * The most bytes of the answer to a tool call, a read or a prompt. A longer text is cut. Anything else that is longer
   * is an error.
   * @default no limit
   */
  readonly resultBytes?: number;
  /** The accepted media types of a request body. The answer to another is 415. @default ['application/json'] */
  readonly contentTypes?: readonly string[];
}

/** Bounds of memory, in bytes of heap that the server estimates. */
export interface MemoryOptions {
  /**
   * Bytes of sessions, event logs, requests in flight, tasks and subscriptions together. The answer to a request that
   * would exceed them is 503.
   * @default a quarter of the heap's limit
   */
  readonly maximumBytes?: number;
  /** The same bytes for one caller, if callers are known. The answer beyond them is 429. @default a quarter of `maximumBytes` */
  readonly maximumBytesPerIdentity?: number;
  /** The same bytes for all callers without a token together. The answer beyond them is 429. @default half of `maximumBytes`; all of it without `auth` */
  readonly maximumBytesOfStrangers?: number;
  /**
   * The same bytes for the callers without a token at one address. IPv6 addresses count by their first 64 bits. The
   * answer beyond them is 429.
   * @default a tenth of `maximumBytesOfStrangers`, at least what the longest body takes, at most half
   */
  readonly maximumBytesPerAddress?: number;
}
