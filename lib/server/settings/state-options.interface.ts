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

/** Fills every default in. */
export function buildStateSettings(given: StateOptions = {}): Required<StateOptions> {
  return {
    ttlMs: given.ttlMs ?? 60 * 60_000,
    valueBytes: given.valueBytes ?? 16_384,
    maximumBytes: given.maximumBytes ?? 65_536,
    maximumHandles: given.maximumHandles ?? 100,
    maximumAnonymousHandles: given.maximumAnonymousHandles ?? 10_000,
  };
}
