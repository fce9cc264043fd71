/**
 * Creates the opaque cursor for the page that starts after a position in a list.
 *
 * @param after the number of the previous page's last entry in the list, or 0 for the first page
 * @example
 * const nextCursor = formatCursor('tools', 1000);
 *
 * @throws {RangeError} if `after` is not a whole number, 0 or greater
 */
export function formatCursor(list: PaginatedList, after: number): string {
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new RangeError(`A cursor position must be a whole number, 0 or greater, not ${after}`);
  }
  return Buffer.from(`${list}:${after}`, 'latin1').toString('base64url');
}

/**
 * Reads the position before a page from its cursor.
 *
 * @throws {CursorError} for anything that {@link formatCursor} did not create for this list
 */
export function parseCursor(list: PaginatedList, cursor: unknown): number {
  if (typeof cursor !== 'string') throw new CursorError(list);
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const after = Number(text.slice(list.length + 1));
  // Decoding is lenient, so a cursor is valid only if it encodes to the same value again.
  const isOurs = Number.isSafeInteger(after) && after >= 0 && formatCursor(list, after) === cursor;
  if (!isOurs) throw new CursorError(list);
  return after;
}

/** A cursor that this server did not issue for the list. It becomes a -32602 response. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor(readonly list: PaginatedList) {
    super(`The "cursor" does not belong to this list of ${list}: send "nextCursor" unchanged, or omit it`);
  }
}

/** The lists that are returned page by page (MCP server/utilities/pagination), and the results of tool search. */
export type PaginatedList =
  'tools' | 'prompts' | 'resources' | 'resourceTemplates' | 'foundTools' | 'events' | 'skills' | 'children';
