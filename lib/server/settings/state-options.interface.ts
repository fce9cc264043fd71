/** Bounds of what handlers keep for callers, by `context.state`. */
export interface StateOptions {
  /** Milliseconds for which a value is kept, if whoever writes it says nothing else. @default 3_600_000 (1 hour) */
  readonly ttlMs?: number;
  /** Bytes that one value may have as JSON. @default 16_384 */
  readonly valueBytes?: number;
  /** Bytes that the values of a caller may have together, and those behind a handle. @default 65_536 */
  readonly maximumBytes?: number;
  /** Handles with something behind them that one caller may have; for a further one, that goes which was not used for longest. @default 100 */
  readonly maximumHandles?: number;
  /** Those of all callers without a token together, and their sessions with state. @default 10_000 */
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
