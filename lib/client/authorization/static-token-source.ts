import { formatAuthorization } from './format-authorization.js';
import type { TokenSource } from './token-source.interface.js';

/**
 * Always gives the same token, such as one from the environment.
 *
 * @example
 * const source = new StaticTokenSource(process.env['DESK_TOKEN'] ?? '');
 */
export class StaticTokenSource implements TokenSource {
  readonly #token: string;

  /** @throws {UnusableTokenError} if the text cannot be a token */
  constructor(token: string) {
    formatAuthorization(token);
    this.#token = token;
  }

  async token(): Promise<string> {
    return this.#token;
  }
}
