import { HandlerResultError } from './handler-result.error.js';

/**
 * Refuses iterables such as a `Map` or a generator, because JSON would write them as `{}`.
 *
 * @throws {HandlerResultError} that says what to give
 */
export function assertNotIterable(value: unknown, giver: 'tool' | 'resource'): void {
  if (!isLostAsJson(value)) return;
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1);
  throw new HandlerResultError(
    `A ${giver} cannot give an iterable such as this ${kind}: give a plain object, an array or an Observable`,
  );
}

/** Tells whether a value is, or becomes, something else as JSON by itself: a date, or a record of a database. */
export function hasOwnJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'toJSON' in value;
}

function isLostAsJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasOwnJson(value)) return false;
  return Symbol.asyncIterator in value || (Symbol.iterator in value && Object.keys(value).length === 0);
}
