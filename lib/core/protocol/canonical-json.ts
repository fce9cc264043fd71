import { isObject } from './json-rpc.js';

/** Sorts properties at every level, so that JSON values that differ only in property order serialize alike. @see RFC 8785 */
export function sortProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortProperties);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([first], [second]) => (first < second ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortProperties(member)]));
}
