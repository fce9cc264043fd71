/** Bounds of requests. */
export interface LimitOptions {
  /** Bytes of a request body; more is answered with 413. @default 4_194_304 */
  readonly bodyBytes?: number;
  /** Values in a request body; each object and each array counts twice; more is answered with 413. @default 25_000 */
  readonly bodyValues?: number;
  /** Depth of objects and arrays in a request body; more is answered with 400. @default 512 */
  readonly bodyDepth?: number;
  /** Milliseconds that a body may take to arrive (then 408), and that an answer, or a long message on a stream, may stay unread. @default 60_000 */
  readonly transferTimeoutMs?: number;
  /** Messages in one JSON-RPC batch. @default 100 */
  readonly batchSize?: number;
  /** Requests of one session that may run at once. @default 256 */
  readonly requestsInFlight?: number;
  /** Bytes of the stream of a resource. @default 16_777_216 */
  readonly resourceBytes?: number;
  /** Bytes of the answer to a tool call, a read or a prompt; a text is cut, anything else is an error. @default no limit */
  readonly resultBytes?: number;
  /** Media types of a request body; another is answered with 415. @default ['application/json'] */
  readonly contentTypes?: readonly string[];
}

/** Bounds of memory, in bytes of heap as the server estimates them. */
export interface MemoryOptions {
  /** Bytes of sessions, event logs, requests in flight, tasks and subscriptions together; what would exceed them is answered with 503. @default a quarter of the heap's limit */
  readonly maximumBytes?: number;
  /** Such bytes of one caller, if callers are known. @default a quarter of `maximumBytes` */
  readonly maximumBytesPerIdentity?: number;
  /** Such bytes of all callers without a token together. @default half of `maximumBytes`; all of it without `auth` */
  readonly maximumBytesOfStrangers?: number;
  /** Such bytes of the callers without a token at one address; of an IPv6 address the first 64 bits count. @default a tenth of `maximumBytesOfStrangers`, at least what the longest body takes, at most half */
  readonly maximumBytesPerAddress?: number;
}
