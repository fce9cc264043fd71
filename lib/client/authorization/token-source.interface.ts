import type { AuthorizationChallenge } from './authorization-challenge.js';

/**
 * Gives the tokens of one server. Whoever asks at once gets the same one: a source works for a token once, not once per caller.
 *
 * @example
 * const tokenSource: TokenSource = { token: async () => vault.read('desk-token') };
 */
export interface TokenSource {
  /**
   * Gives the token at hand, renewed if its time is up.
   *
   * @throws {NoTokenYetError} before a server has asked for one
   */
  token(): Promise<string>;

  /**
   * Uses the token that an earlier process kept, if there is one. The first call carries it. If the server refuses it, the
   * retry of that call has another. It is asked for if `token()` has none yet.
   */
  recall?(): Promise<string | undefined>;

  /**
   * Gets a token with these scopes and those that were asked for before; the current one if it has them. Without
   * scopes it asks for what the server's metadata names.
   *
   * @throws {NoTokenYetError} if the server has to say first, to a call without a token, who gives one
   */
  tokenForScopes?(scopes: readonly string[]): Promise<string>;

  /**
   * Learns that the server refused a call, and from now on gets tokens as the challenge says. A challenge about another
   * token than the one at hand makes none worthless. Without this method refusals are the caller's to see.
   */
  respond?(challenge: AuthorizationChallenge): Promise<void>;

  /** Learns that the server took a token: one that is refused later was good, and is worth being renewed. */
  confirm?(token: string): void;

  /** Proves with each call that the sender owns the token; absent for bearer tokens. */
  readonly proof?: RequestProof | undefined;
}

/** A call that is to carry a token. */
export interface RequestToProve {
  readonly method: string;
  /** The URL of the call, with its query. */
  readonly url: string;
  readonly token: string;
}

/**
 * Binds tokens to the calls that carry them.
 *
 * @see RFC 9449
 */
export interface RequestProof {
  /** Gives the headers of one call, `authorization` among them; each call and each retry asks again. */
  buildHeaders(request: RequestToProve): Promise<{ readonly [name: string]: string }>;

  /** Sees each answer, for the nonce that it may bring. */
  heedAnswer(url: string, headers: Headers): void;
}
