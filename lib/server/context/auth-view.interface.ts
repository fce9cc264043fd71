import type { Claims } from '../../core/oauth/access-token.js';
import type { Authentication } from './authentication.js';
import type { RequestedToken } from './token-exchange.js';

/**
 * The caller, and what the caller may do.
 *
 * @example
 * class TicketTools { @Tool()
 *   close({ id }: { id: number }, { auth }: McpContext) {
 *     if (this.tickets.isOfAnother(id, auth.claims?.sub)) auth.requireScope('desk:admin');
 *     return this.tickets.close(id);
 *   }
 * }
 */
export interface AuthView {
  /** The claims of the token. Absent on an open server, and for a caller without a token at a public handler. */
  readonly claims: Claims | undefined;
  /** How the caller was recognized; absent if the caller is unknown. */
  readonly authentication?: Authentication | undefined;
  /** Every scope that the request and its handler have required of the token so far. @default none */
  readonly requiredScopes?: readonly string[];
  /** Returns whether the token has a scope. */
  hasScope(scope: string): boolean;
  /**
   * Requires all of these scopes of the token.
   *
   * @throws {AuthError} 403 with a challenge that asks for them and for what the call already needs; 401 without a
   *   token
   */
  requireScope(...scopes: readonly string[]): void;
  /**
   * Exchanges the caller's token for a token of another service. That service then knows who the caller is. The
   * caller's own token goes only to the authorization server. The new token is cached until shortly before it expires,
   * or until you report it as refused.
   *
   * @example
   * const token = await auth.exchange({ audience: 'invoices', scopes: ['invoices:read'] });
   * await fetch(url, { headers: { authorization: `Bearer ${token}` } });
   *
   * @throws {AuthError} 401 if the caller brought no token
   * @throws {ExchangeRefusedError} if the authorization server issues no token for this caller; the log contains the reason
   * @throws {ToolError} if the authorization server is unavailable
   * @see RFC 8693
   */
  exchange(wanted?: RequestedToken): Promise<string>;
}
