/** Bounds of the state that handlers keep for callers, by `context.state`. */
export interface StateOptions {
  /** Milliseconds for which a value is kept, unless its writer sets another time. @default 3_600_000 (1 hour) */
  readonly ttlMs?: number;
  /** Bytes that one value may have as JSON. @default 16_384 */
  readonly valueBytes?: number;
  /** Bytes of all values of a caller, or of a handle. @default 65_536 */
  readonly maximumBytes?: number;
  /** The most handles with values of one caller. A further handle removes the least recently used one. @default 100 */
  readonly maximumHandles?: number;
  /** The same for all callers without a token together, including their sessions with state. @default 10_000 */
  readonly maximumAnonymousHandles?: number;
}
