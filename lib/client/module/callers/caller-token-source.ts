import type { AuthorizationChallenge } from '../../authorization/authorization-challenge.js';
import type { TokenSource } from '../../authorization/token-source.interface.js';
import type { CallerExchange, McpCaller } from './mcp-caller.interface.js';

/** Milliseconds during which the replacement of a refused token is not replaced again. */
const RENEW_PAUSE_MS = 10_000;

/** Exchanges a caller's token for new ones. The caller's own token is not sent to the server (RFC 8693). */
export class CallerTokenSource implements TokenSource {
  #auth: McpCaller['auth'];
  /** What is asked for next. */
  #wish: CallerExchange;
  #refusedToken: string | undefined;
  /** What took the place of the token that was refused last, and when. */
  #replacement: { readonly token: string; readonly gotAt: number } | undefined;

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

  async token(): Promise<string> {
    const wish = this.#wish;
    this.#wish = this.request;
    const token = await this.#auth.exchange(wish);
    if (wish.refusedToken !== undefined) this.#replacement = { token, gotAt: performance.now() };
    return token;
  }

  /** Asks for a token that replaces a refused one. If the new one is refused too, asking again does not help. */
  async respond({ status, refusedToken }: AuthorizationChallenge): Promise<void> {
    if (status !== 401 || refusedToken === undefined || refusedToken === this.#refusedToken) return;
    const { token, gotAt = -Infinity } = this.#replacement ?? {};
    if (token === refusedToken && performance.now() - gotAt < RENEW_PAUSE_MS) return;
    this.#refusedToken = refusedToken;
    this.#wish = { ...this.request, refusedToken };
  }
}
