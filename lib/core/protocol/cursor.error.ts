import type { PaginatedList } from './paginated-list.js';

/** Is thrown for a cursor that this server did not make for the list; answer it with -32602. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor(readonly list: PaginatedList) {
    super(
      `The member "cursor" is not one of this list of ${list}: send "nextCursor" as it was given, or none`,
    );
  }
}
