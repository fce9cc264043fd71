/** How many calls may run at once, in one process. Set `max`, `maxPerCaller` or both. */
export interface ConcurrencyOptions {
  /** Calls of one caller at once. @default the value of `max` */
  readonly maxPerCaller?: number;
  /** Calls of all callers at once. @default no limit */
  readonly max?: number;
  /** How many calls may wait for a place, or how many and how long. @default 0: a call without a place is refused */
  readonly queue?: number | ConcurrencyQueueOptions;
}

/** Bounds of the calls that wait. */
export interface ConcurrencyQueueOptions {
  /** Calls that may wait at once. @default 100 */
  readonly length?: number;
  /** Milliseconds that a call may wait. @default 10_000 */
  readonly timeoutMs?: number;
}
