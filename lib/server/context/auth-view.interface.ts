import type { Claims } from '../../core/oauth/access-token.js';
import type { Authentication } from './authentication.js';
import type { RequestedToken } from './token-exchange.js';

/**
 * The caller and its permissions.
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
  /** The token's claims. Absent on an open server, and for a caller without a token at a public handler. */
  readonly claims: Claims | undefined;
  /** How the caller was recognized; absent if the caller is unknown. */
  readonly authentication?: Authentication | undefined;
  /** Every scope that the request and its handler have required so far. @default none */
  readonly requiredScopes?: readonly string[];
  /** Returns whether the token has a scope. */
  hasScope(scope: string): boolean;
  /**
   * Requires the token to have all of these scopes.
   *
   * @throws {AuthError} 403 with a challenge for these scopes and the scopes that the call already requires; 401 without a
   *   token
   */
  requireScope(...scopes: readonly string[]): void;
  /**
   * Exchanges the caller's token for a token that another service accepts. That service then knows who the caller is.
   * The caller's own token goes only to the authorization server. The new token is cached until shortly before it
   * expires, or until you report it as refused.
   *
   * @example
   * const token = await auth.exchange({ audience: 'invoices', scopes: ['invoices:read'] });
   * await fetch(url, { headers: { authorization: `Bearer ${token}` } });
   *
   * @throws {AuthError} 401 if the request has no token
   * @throws {ExchangeRefusedError} if the authorization server does not issue a token for this caller; the log
   * contains the reason
   * @throws {ToolError} if the authorization server is unavailable
   * @see RFC 8693
   */
  exchange(wanted?: RequestedToken): Promise<string>;
  /**
   * Returns the token that the identity provider issued for the caller, refreshed if necessary, for calls to the
   * provider's API. It requires `McpAuthorizationServerModule` in the same application. Never return it to the
   * client.
   *
   * @example
   * await fetch('https://api.github.com/user/repos', { headers: { authorization: `Bearer ${await auth.upstream()}` } });
   *
   * @throws {AuthError} 401 if the request has no token
   * @throws {ToolError} if the caller has to log in again, or the provider is unavailable
   * @throws {McpConfigurationError} if the application has no authorization server
   */
  upstream(): Promise<string>;
}
