import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequestContext } from '../context/request-context.js';
import { isWithoutSession } from '../sessions/session-opening.interface.js';
import { Session } from '../sessions/session.js';

/**
 * Gives the session of a request to a method that is about the session itself.
 *
 * @throws {McpError} -32600 if the request came without one, -32601 if the server has none for anybody
 */
export function getSession({ peer, method }: RequestContext): Session {
  if (peer instanceof Session) return peer;
  if (isWithoutSession(peer)) {
    const text = `Method not found: "${method}" needs a session, and this server keeps none`;
    throw new McpError(ErrorCode.MethodNotFound, text);
  }
  throw McpError.invalidRequest('the method needs a session: initialize first', 200);
}
