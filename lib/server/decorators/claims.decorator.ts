import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Claims as TokenClaims } from '../../core/oauth/claims.js';
import { MCP_CONTEXT_TYPE } from '../settings/mcp.constants.js';

/** The caller of a request, as its validated token names it. */
export type Claims = TokenClaims;

interface Authenticated {
  readonly auth?: { readonly claims?: TokenClaims | undefined };
}

/** Gives the claims of what an MCP handler, or a controller behind `McpAuthGuard`, is called for. */
export function readClaims(member: keyof TokenClaims | undefined, context: ExecutionContext): unknown {
  const isMcp = context.getType<string>() === MCP_CONTEXT_TYPE;
  const authenticated = isMcp
    ? context.switchToRpc().getContext<Authenticated>()
    : context.switchToHttp().getRequest<Authenticated>();
  return selectClaims(authenticated, member);
}

/** Gives all claims, or one of them. */
export function selectClaims({ auth }: Authenticated, member: unknown): unknown {
  const claims = auth?.claims;
  return member === undefined ? claims : claims?.[member as keyof TokenClaims];
}

/**
 * Gives a parameter of a handler the claims of the caller's token, or one of them; nothing if there is no token. It works
 * on controllers behind `McpAuthGuard` too.
 *
 * @example
 * class TicketTools { @Tool()
 *   mine(@Claims('sub') owner: string) {
 *     return this.tickets.findOf(owner);
 *   }
 * }
 */
export const Claims = createParamDecorator(readClaims);
