import type { Claims } from '../../core/oauth/claims.js';
import type { Authentication } from './authentication.interface.js';
import type { WantedToken } from './exchange.interface.js';

/**
 * Who calls, and what that caller may do.
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
  /** What the token says; absent on an open server, and for a caller without a token on a public handler. */
  readonly claims: Claims | undefined;
  /** How the caller was recognised; absent if the caller is unknown. */
  readonly authentication?: Authentication | undefined;
  /** Every scope that was required of the token so far: for the request, and by its handler. @default none */
  readonly requiredScopes?: readonly string[];
  /** Tells whether the token has a scope. */
  hasScope(scope: string): boolean;
  /**
   * Requires scopes of the token, all of them.
   *
   * @throws {AuthError} 403 with a challenge that asks for them besides what the call needs already; 401 without a token
   */
  requireScope(...scopes: readonly string[]): void;
  /**
   * Exchanges the caller's token for one of another service, which then knows on whose behalf it is called. The caller's
   * own token goes only to the authorization server. The new token is cached until shortly before it expires, or until it
   * is reported as refused.
   *
   * @example
   * const token = await auth.exchange({ audience: 'invoices', scopes: ['invoices:read'] });
   * await fetch(url, { headers: { authorization: `Bearer ${token}` } });
   *
   * @throws {AuthError} 401 if the caller brought no token
   * @throws {ExchangeRefusedError} if the authorization server gives none for this caller; the log says why
   * @throws {ToolError} if it cannot be asked
   * @see RFC 8693
   */
  exchange(wanted?: WantedToken): Promise<string>;
}
