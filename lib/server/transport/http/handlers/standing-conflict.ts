import { McpError } from '../../../../core/protocol/mcp.error.js';

/** A session has one standing stream at a time (MCP 2025-11-25 basic/transports). */
export function createConflictError(): McpError {
  return McpError.invalidRequest('the session has a standing stream already', 409);
}
