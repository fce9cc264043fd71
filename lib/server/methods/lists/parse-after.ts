import { CursorError } from '../../../core/protocol/cursor.error.js';
import { parseCursor } from '../../../core/protocol/cursor.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { PaginatedList } from '../../../core/protocol/paginated-list.js';

/**
 * Reads behind which place of a list the page of a request begins. Without a cursor, it is the first page.
 *
 * @throws {McpError} -32602 if the cursor is not one of the list
 * @see MCP server/utilities/pagination
 */
export function parseAfter(list: PaginatedList, cursor: unknown): number {
  if (cursor === undefined) return 0;
  try {
    return parseCursor(list, cursor);
  } catch (error) {
    if (error instanceof CursorError) throw McpError.invalidParams(error.message);
    throw error;
  }
}
