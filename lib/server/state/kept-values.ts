/** A value as it is kept. */
export interface KeptValue {
  /** The value as JSON. */
  readonly json: string;
  /** Until when it is kept, in milliseconds of the epoch. */
  readonly ends: number;
}

/** The values of one place by their keys; it is never changed, but replaced. */
export type KeptValues = ReadonlyMap<string, KeptValue>;

export const NO_VALUES: KeptValues = new Map();

/** The memory of a value in addition to its texts. */
const VALUE_BYTES = 32;

/** Leaves out what has expired. */
export function selectLasting(values: KeptValues, now: number): KeptValues {
  const lasting = [...values].filter(([, { ends }]) => ends > now);
  return lasting.length === values.size ? values : new Map(lasting);
}

/** Returns the values with one of them changed, or taken away. */
export function withValue(values: KeptValues, key: string, value: KeptValue | undefined): KeptValues {
  const changed = new Map(values);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

/** Counts the bytes that values take as text. */
export function countBytes(values: KeptValues): number {
  let bytes = 0;
  for (const [key, { json }] of values)
    bytes += VALUE_BYTES + Buffer.byteLength(key) + Buffer.byteLength(json);
  return bytes;
}

/** Finds when the last of some values ends. */
export function findLastEnd(values: KeptValues): number {
  return Math.max(0, ...[...values.values()].map(({ ends }) => ends));
}

/** Writes values as one text. */
export function formatValues(values: KeptValues): string {
  const parts = [...values].map(([key, { json, ends }]) => `[${JSON.stringify(key)},${json},${ends}]`);
  return `[${parts.join(',')}]`;
}

/** Reads a text that {@link formatValues} wrote, and only who knows the secret can have changed. */
export function parseValues(text: string): KeptValues {
  const parts = JSON.parse(text) as readonly (readonly [string, unknown, number])[];
  return new Map(parts.map(([key, value, ends]) => [key, { json: JSON.stringify(value), ends }]));
}
