import type { PaginatedList } from './paginated-list.js';

/** A cursor that this server did not issue for the list. It becomes a -32602 response. */
export class CursorError extends Error {
  override readonly name = 'CursorError';

  constructor(readonly list: PaginatedList) {
    super(
      `The member "cursor" is not one of this list of ${list}: send "nextCursor" as it was given, or none`,
    );
  }
}
