import type { AuthorizationChallenge } from '../../client/authorization-challenge.js';
import type { TokenSource } from '../../client/token-source.interface.js';
import type { CallerExchange, McpCaller } from './mcp-caller.interface.js';

/** Gives tokens that are got in exchange for a caller's own, which itself goes nowhere (RFC 8693). */
export class CallerTokenSource implements TokenSource {
  #auth: McpCaller['auth'];
  /** What is asked for next. */
  #wish: CallerExchange;
  #refusedToken: string | undefined;

  constructor(
    { auth }: McpCaller,
    private readonly request: CallerExchange,
  ) {
    this.#auth = auth;
    this.#wish = request;
  }

  /** Takes the caller's latest token, which lives the longest. */
  renew({ auth }: McpCaller): void {
    this.#auth = auth;
  }

  token(): Promise<string> {
    const wish = this.#wish;
    this.#wish = this.request;
    return this.#auth.exchange(wish);
  }

  /** Wants another token than the one that was refused, once: where there is none, asking again does not help. */
  async respond({ status, refusedToken }: AuthorizationChallenge): Promise<void> {
    if (status !== 401 || refusedToken === undefined || refusedToken === this.#refusedToken) return;
    this.#refusedToken = refusedToken;
    this.#wish = { ...this.request, refusedToken };
  }
}
