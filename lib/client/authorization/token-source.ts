import { formatAuthorization, type AuthorizationChallenge } from './authorization-headers.js';

/**
 * Provides one server's tokens. Concurrent callers get the same token, which the source fetches once for all of them.
 *
 * @example
 * const tokenSource: TokenSource = { token: async () => vault.read('desk-token') };
 */
export interface TokenSource {
  /**
   * Returns the current token, renewed if it has expired.
   *
   * @throws {NoTokenYetError} before a server has required one
   */
  token(): Promise<string>;

  /**
   * Returns the token that an earlier process stored, if there is one. It is called if `token()` has none yet. The
   * first call sends that token; if the server rejects it, the retry sends another.
   */
  recall?(): Promise<string | undefined>;

  /**
   * Gets a token with these scopes and all scopes that were requested before. Returns the current token if it has them.
   * Without scopes, it requests the scopes in the server's metadata.
   *
   * @throws {NoTokenYetError} if the server must first be called without a token, to name its issuer
   */
  tokenForScopes?(scopes: readonly string[]): Promise<string>;

  /**
   * Called when the server rejects a call. From then on, the source gets tokens according to the challenge. A
   * challenge about an older token does not affect the current one. Without this method, the caller receives each
   * rejection.
   */
  respond?(challenge: AuthorizationChallenge): Promise<void>;

  /** Called when the server accepts a token. If the server rejects that token later, the source renews it. */
  confirm?(token: string): void;

  /** Proves with each call that the sender owns the token; absent for bearer tokens. */
  readonly proof?: RequestProof | undefined;
}

/** A call that needs a token. */
export interface RequestToProve {
  readonly method: string;
  /** The call's URL, with its query. */
  readonly url: string;
  readonly token: string;
}

/**
 * Proves possession of a token's key with each call.
 *
 * @see RFC 9449
 */
export interface RequestProof {
  /** Returns one call's headers, including `authorization`. It is called for each call and each retry. */
  buildHeaders(request: RequestToProve): Promise<{ readonly [name: string]: string }>;

  /** Called with each response, which may contain a nonce. */
  heedAnswer(url: string, headers: Headers): void;
}

/**
 * Always returns the same token, such as one from the environment.
 *
 * @example
 * const source = new StaticTokenSource(process.env['DESK_TOKEN'] ?? '');
 */
export class StaticTokenSource implements TokenSource {
  readonly #token: string;

  /** @throws {UnusableTokenError} if the string cannot be a token */
  constructor(token: string) {
    formatAuthorization(token);
    this.#token = token;
  }

  async token(): Promise<string> {
    return this.#token;
  }
}
