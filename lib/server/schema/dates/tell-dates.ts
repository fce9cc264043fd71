import { isObject } from '../../../core/protocol/json-rpc.js';

/** Copies a library's JSON Schema, with texts for its dates. Some libraries leave a date as the default. */
export function tellDates(value: unknown): unknown {
  if (value instanceof Date) return value.toJSON();
  if (Array.isArray(value)) return value.map(tellDates);
  if (!isObject(value) || 'toJSON' in value) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tellDates(member)]));
}
