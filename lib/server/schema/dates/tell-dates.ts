import { isObject } from '../../../core/protocol/json-rpc.js';

/** Copies what a library shows with texts for its dates: some put a default as it is beside what they say of it. */
export function tellDates(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.map(tellDates);
  if (!isObject(value) || 'toJSON' in value) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tellDates(member)]));
}
