import { parseBearerToken } from '../oauth/bearer-token.js';
import type { TokenSource } from './token-source.interface.js';

/**
 * Gives the same token always, such as one from the environment.
 *
 * @example
 * const source = new StaticTokenSource(process.env['DESK_TOKEN'] ?? '');
 */
export class StaticTokenSource implements TokenSource {
  readonly #token: string;

  /** @throws TypeError where the text can be no token */
  constructor(token: string) {
    if (parseBearerToken(`Bearer ${token}`) !== token) {
      throw new TypeError(
        'The "token" must be a bearer token of RFC 6750 §2.1: give it without "Bearer" and without spaces',
      );
    }
    this.#token = token;
  }

  async token(): Promise<string> {
    return this.#token;
  }
}
