import type { KeptValue, KeptValues } from './kept-values.js';
import type { StatePlace } from './state-place.js';

/** A change of one value. */
export interface ValueChange {
  readonly key: string;
  /** The expected value, as JSON, or `undefined` if none is expected. @default any value */
  readonly from?: { readonly json: string | undefined };
  /** What it becomes; absent to take it away. */
  readonly to?: KeptValue | undefined;
}

/** The result of a change: whether the value was the expected one, and whether there was a value. */
export interface ChangeOutcome {
  readonly isDone: boolean;
  readonly wasThere: boolean;
}

/** Keeps the values of places: in this process, or where all processes find them. */
export interface StateStore {
  /** Returns the values of a place that have not expired. */
  read(place: StatePlace): Promise<KeptValues>;
  /**
   * Changes one value in one step.
   *
   * @throws {StateError} `too_large`, `busy` or `unavailable`
   */
  change(place: StatePlace, change: ValueChange): Promise<ChangeOutcome>;
  /** Takes all values of a place away; it never rejects. */
  remove(place: StatePlace): Promise<void>;
  /** The time by which values end, in milliseconds of the epoch. */
  readonly now: number;
}
