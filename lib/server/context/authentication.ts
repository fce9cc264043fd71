import type { Claims } from '../../core/oauth/access-token.js';
import { callAt } from '../../core/async/timers.js';

/** The validator that accepted a token; `custom` is the application's validator. */
export type AuthMethod = 'jwt' | 'bearer' | 'introspection' | 'custom';

/** A validated token. While it is cached, every request with it gets the same object. */
export interface Authentication {
  readonly method: AuthMethod;
  readonly claims: Claims;
  readonly scopes: ReadonlySet<string>;
  /** The thumbprint of the key to which the token is bound (RFC 9449 §6.1); absent for a bearer token. */
  readonly keyThumbprint?: string;
  /** An opaque identifier of the caller. It reveals neither the token nor the subject. */
  readonly identity: string;
}

/** Calls a function when a token expires, if it ever does. Returns a function that stops the timer. */
export function whenTokenEnds({ expiresAt }: Pick<Claims, 'expiresAt'>, act: () => void): () => void {
  return expiresAt === undefined ? () => {} : callAt(expiresAt * 1000, act);
}
