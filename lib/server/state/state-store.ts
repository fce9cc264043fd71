import { StateError } from '../context/tool-errors.js';
import type { StateNamespace } from './state-namespace.js';

/** A change to one value. */
export interface ValueChange {
  readonly key: string;
  /** The expected current value as JSON, or `undefined` if there must be none. @default any value */
  readonly from?: { readonly json: string | undefined };
  /** The new value; absent to delete it. */
  readonly to?: StoredValue | undefined;
}

/** The result of a change: whether the value was the expected one, and whether there was a value. */
export interface ChangeOutcome {
  readonly isApplied: boolean;
  readonly existed: boolean;
}

/** Stores namespaces' values, in this process or in the cluster. */
export interface StateStore {
  /** Returns a namespace's values that have not expired. */
  read(namespace: StateNamespace): Promise<StoredValues>;
  /**
   * Changes one value atomically.
   *
   * @throws {StateError} `too_large`, `busy` or `unavailable`
   */
  change(namespace: StateNamespace, change: ValueChange): Promise<ChangeOutcome>;
  /** Deletes all of a namespace's values. It never rejects. */
  remove(namespace: StateNamespace): Promise<void>;
  /** The current time on the store's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** A stored value. */
export interface StoredValue {
  /** The value as JSON. */
  readonly json: string;
  /** When it expires, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** One namespace's values by key. The map is replaced, never changed. */
export type StoredValues = ReadonlyMap<string, StoredValue>;

export const NO_VALUES: StoredValues = new Map();

/** The bytes that a value uses in addition to its key and JSON. */
const VALUE_BYTES = 32;

/** Returns the values that have not expired. */
export function selectUnexpired(values: StoredValues, now: number): StoredValues {
  const lasting = [...values].filter(([, { expiresAt }]) => expiresAt > now);
  return lasting.length === values.size ? values : new Map(lasting);
}

/** Returns the values with one of them changed or deleted. */
export function withValue(values: StoredValues, key: string, value: StoredValue | undefined): StoredValues {
  const changed = new Map(values);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

/** Counts the bytes of serialized values. */
export function countBytes(values: StoredValues): number {
  let bytes = 0;
  for (const [key, { json }] of values)
    bytes += VALUE_BYTES + Buffer.byteLength(key) + Buffer.byteLength(json);
  return bytes;
}

/** Returns when the last of the values expires. */
export function findLatestExpiry(values: StoredValues): number {
  return Math.max(0, ...[...values.values()].map(({ expiresAt }) => expiresAt));
}

/** Serializes values. */
export function formatValues(values: StoredValues): string {
  const parts = [...values].map(
    ([key, { json, expiresAt }]) => `[${JSON.stringify(key)},${json},${expiresAt}]`,
  );
  return `[${parts.join(',')}]`;
}

/** Parses the output of {@link formatValues}. Only holders of the secret can have changed it. */
export function parseValues(text: string): StoredValues {
  const parts = JSON.parse(text) as readonly (readonly [string, unknown, number])[];
  return new Map(parts.map(([key, value, expiresAt]) => [key, { json: JSON.stringify(value), expiresAt }]));
}

/** The outcome of a change to a namespace's values. */
interface AppliedChange {
  readonly outcome: ChangeOutcome;
  /** Absent if nothing changes. */
  readonly next?: StoredValues;
}

/**
 * Applies a change to a namespace's values.
 *
 * @throws {StateError} `too_large` if the values would exceed `maxBytes`
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
