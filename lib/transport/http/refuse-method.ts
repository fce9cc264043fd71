import { ErrorCode } from '../../protocol/error-codes.js';
import { McpError } from '../../protocol/mcp.error.js';
import type { HttpExchange } from './http-exchange.js';

/** The methods of the endpoint, as `Allow` names them (RFC 9110 §10.2.1). */
const ALLOW = 'POST, GET, DELETE';

/** Refuses a method that a path does not have. */
export function refuseMethod(exchange: HttpExchange, allowed = ALLOW): undefined {
  exchange.response.setHeader('Allow', allowed);
  const text = `Method not allowed: use ${allowed}`;
  exchange.refuse(new McpError(ErrorCode.InvalidRequest, text, undefined, 405));
  return undefined;
}
