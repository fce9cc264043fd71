import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Claims as TokenClaims } from '../../core/oauth/claims.js';
import { MCP_CONTEXT_TYPE } from '../settings/mcp.constants.js';

/** The caller of a request, as its validated token names it. */
export type Claims = TokenClaims;

interface Authenticated {
  readonly auth?: { readonly claims?: TokenClaims | undefined };
}

/** Returns the claims of the caller of an MCP handler, or of a controller behind `McpAuthGuard`. */
export function readClaims(member: keyof TokenClaims | undefined, context: ExecutionContext): unknown {
  const isMcp = context.getType<string>() === MCP_CONTEXT_TYPE;
  const authenticated = isMcp
    ? context.switchToRpc().getContext<Authenticated>()
    : context.switchToHttp().getRequest<Authenticated>();
  return selectClaims(authenticated, member);
}

/** Returns all claims, or one of them. */
export function selectClaims({ auth }: Authenticated, member: unknown): unknown {
  const claims = auth?.claims;
  return member === undefined ? claims : claims?.[member as keyof TokenClaims];
}

/**
 * Passes the claims of the caller's token, or one claim, to a parameter of a handler. The parameter is `undefined` if
 * there is no token. The decorator works in controllers behind `McpAuthGuard` too.
 *
 * @example
 * class TicketTools { @Tool()
 *   mine(@Claims('sub') owner: string) {
 *     return this.tickets.findOf(owner);
 *   }
 * }
 */
export const Claims = createParamDecorator(readClaims);
