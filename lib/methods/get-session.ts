import type { RequestContext } from '../context/request-context.js';
import { McpError } from '../protocol/mcp.error.js';
import { Session } from '../sessions/session.js';

/**
 * Gives the session of a request to a method that is about the session itself.
 *
 * @throws {McpError} -32600 where the request came without one
 */
export function getSession({ peer }: RequestContext): Session {
  if (peer instanceof Session) return peer;
  throw McpError.invalidRequest('the method needs a session: initialize first', 200);
}
