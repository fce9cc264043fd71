import type { TokenSource } from '../../client/token-source.interface.js';
import type { CallerExchange, McpCaller } from './mcp-caller.interface.js';

/** Gives tokens that are got in exchange for a caller's own, which itself goes nowhere (RFC 8693). */
export class CallerTokenSource implements TokenSource {
  #auth: McpCaller['auth'];

  constructor(
    { auth }: McpCaller,
    private readonly request: CallerExchange,
  ) {
    this.#auth = auth;
  }

  /** Takes the caller's latest token, which lives the longest. */
  renew({ auth }: McpCaller): void {
    this.#auth = auth;
  }

  token(): Promise<string> {
    return this.#auth.exchange(this.request);
  }
}
