/**
 * Fails a tool call: the caller gets a result with `isError: true` and this message, for the model to act on.
 *
 * @example
 * throw new ToolError('Ticket 42 is closed: reopen it first');
 *
 * @see MCP server/tools, "Error Handling"
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
