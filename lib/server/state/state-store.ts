import { StateError } from '../context/tool-errors.js';
import type { StateNamespace } from './state-namespace.js';

/** A change of one value. */
export interface ValueChange {
  readonly key: string;
  /** The expected value, as JSON, or `undefined` if none is expected. @default any value */
  readonly from?: { readonly json: string | undefined };
  /** What it becomes; absent to take it away. */
  readonly to?: StoredValue | undefined;
}

/** The result of a change: whether the value was the expected one, and whether there was a value. */
export interface ChangeOutcome {
  readonly isApplied: boolean;
  readonly existed: boolean;
}

/** Keeps the values of places: in this process, or where all processes find them. */
export interface StateStore {
  /** Returns the values of a place that have not expired. */
  read(namespace: StateNamespace): Promise<StoredValues>;
  /**
   * Changes one value in one step.
   *
   * @throws {StateError} `too_large`, `busy` or `unavailable`
   */
  change(namespace: StateNamespace, change: ValueChange): Promise<ChangeOutcome>;
  /** Takes all values of a place away; it never rejects. */
  remove(namespace: StateNamespace): Promise<void>;
  /** The time by which values end, in milliseconds of the epoch. */
  readonly now: number;
}

/** A value as it is kept. */
export interface StoredValue {
  /** The value as JSON. */
  readonly json: string;
  /** Until when it is kept, in milliseconds of the epoch. */
  readonly expiresAt: number;
}

/** The values of one place by their keys; it is never changed, but replaced. */
export type StoredValues = ReadonlyMap<string, StoredValue>;

export const NO_VALUES: StoredValues = new Map();

/** The memory of a value in addition to its texts. */
const VALUE_BYTES = 32;

/** Leaves out what has expired. */
export function selectUnexpired(values: StoredValues, now: number): StoredValues {
  const lasting = [...values].filter(([, { expiresAt }]) => expiresAt > now);
  return lasting.length === values.size ? values : new Map(lasting);
}

/** Returns the values with one of them changed, or taken away. */
export function withValue(values: StoredValues, key: string, value: StoredValue | undefined): StoredValues {
  const changed = new Map(values);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

/** Counts the bytes that values take as text. */
export function countBytes(values: StoredValues): number {
  let bytes = 0;
  for (const [key, { json }] of values)
    bytes += VALUE_BYTES + Buffer.byteLength(key) + Buffer.byteLength(json);
  return bytes;
}

/** Finds when the last of some values ends. */
export function findLatestExpiry(values: StoredValues): number {
  return Math.max(0, ...[...values.values()].map(({ expiresAt }) => expiresAt));
}

/** Writes values as one text. */
export function formatValues(values: StoredValues): string {
  const parts = [...values].map(
    ([key, { json, expiresAt }]) => `[${JSON.stringify(key)},${json},${expiresAt}]`,
  );
  return `[${parts.join(',')}]`;
}

/** Reads a text that {@link formatValues} wrote, and only who knows the secret can have changed. */
export function parseValues(text: string): StoredValues {
  const parts = JSON.parse(text) as readonly (readonly [string, unknown, number])[];
  return new Map(parts.map(([key, value, expiresAt]) => [key, { json: JSON.stringify(value), expiresAt }]));
}

/** What a change makes of the values of a place. */
interface AppliedChange {
  readonly outcome: ChangeOutcome;
  /** Absent if nothing changes. */
  readonly next?: StoredValues;
}

/**
 * Applies a change to the values of a place.
 *
 * @throws {StateError} `too_large` if they would have more bytes than they may
 */
export function applyChange(
  values: StoredValues,
  { key, from, to }: ValueChange,
  maxBytes: number,
): AppliedChange {
  const present = values.get(key);
  const existed = present !== undefined;
  if (from !== undefined && from.json !== present?.json) return { outcome: { isApplied: false, existed } };
  const outcome = { isApplied: true, existed };
  if (to === undefined && !existed) return { outcome };
  const next = withValue(values, key, to);
  const bytes = countBytes(next);
  if (to !== undefined && bytes > maxBytes) throw StateError.tooLarge('state.maxBytes', bytes, maxBytes);
  return { outcome, next };
}
