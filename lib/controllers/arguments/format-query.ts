import { isObject } from '../../core/protocol/json-rpc.js';

/** Deeper values are rejected, because query parsers ignore them. */
const MOST_LEVELS = 5;

/** Returns whether a string is well-formed Unicode without lone surrogates, as URLs require. */
export function isWellFormed(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}

/** Returns whether a query can contain a value. */
export function isQueryValue(value: unknown, isNested: boolean, level = 0): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  if (!isNested) return Array.isArray(value) && value.every((item) => isScalar(item));
  if (level >= MOST_LEVELS || !(Array.isArray(value) || isObject(value))) return false;
  return Object.entries(value).every(
    ([name, inner]) => isWellFormed(name) && isQueryValue(inner, isNested, level + 1),
  );
}

function isScalar(value: unknown): boolean {
  return isQueryValue(value, false) && !Array.isArray(value);
}

/**
 * Formats a query. Each list item has its own parameter. If the application parses brackets, indexes and property names
 * are written in brackets.
 */
export function formatQuery(
  parameters: readonly (readonly [name: string, value: unknown])[],
  isNested: boolean,
): string {
  return parameters
    .flatMap(([name, value]) => listPairs(encodeURIComponent(name), value, isNested))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

function listPairs(name: string, value: unknown, isNested: boolean): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) =>
      listPairs(isNested ? `${name}[${index}]` : name, item, isNested),
    );
  }
  if (!isObject(value)) return [[name, String(value)]];
  return Object.entries(value).flatMap(([inner, item]) =>
    listPairs(`${name}[${encodeURIComponent(inner)}]`, item, isNested),
  );
}
