import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { HttpExchange } from './http-exchange.js';

/**
 * Refuses a method that a path does not have.
 *
 * @param allowed the methods that it has, as `Allow` names them (RFC 9110 §10.2.1)
 * @param remedy what the caller may have meant
 */
export function refuseMethod(exchange: HttpExchange, allowed: string, remedy?: string): undefined {
  exchange.response.setHeader('Allow', allowed);
  const text = `Method not allowed: use ${allowed}${remedy === undefined ? '' : `; ${remedy}`}`;
  exchange.refuse(new McpError(ErrorCode.InvalidRequest, text, undefined, 405));
  return undefined;
}
