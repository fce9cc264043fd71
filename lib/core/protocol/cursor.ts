import { CursorError } from './cursor.error.js';
import type { PaginatedList } from './paginated-list.js';

/**
 * Makes the opaque cursor of the page that begins behind a place in a list.
 *
 * @param after the number by which the list knows the last entry of the page before, or 0 for the first page
 * @example
 * const nextCursor = formatCursor('tools', 1000);
 *
 * @throws {RangeError} when `after` is not a whole number from 0
 */
export function formatCursor(list: PaginatedList, after: number): string {
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new RangeError(`The position of a cursor is a whole number from 0, not ${after}`);
  }
  return Buffer.from(`${list}:${after}`, 'latin1').toString('base64url');
}

/**
 * Reads a cursor back into the place behind which its page begins.
 *
 * @throws {CursorError} for anything that {@link formatCursor} did not make for this list
 */
export function parseCursor(list: PaginatedList, cursor: unknown): number {
  if (typeof cursor !== 'string') throw new CursorError(list);
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const after = Number(text.slice(list.length + 1));
  // Decoding is lenient, so only a cursor that comes out the same again is one of ours.
  const isOurs = Number.isSafeInteger(after) && after >= 0 && formatCursor(list, after) === cursor;
  if (!isOurs) throw new CursorError(list);
  return after;
}
