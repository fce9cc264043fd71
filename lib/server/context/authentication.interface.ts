import type { Claims } from '../../core/oauth/claims.js';

/** How a token was validated; `custom` is a validator of the application's own. */
export type AuthMethod = 'jwt' | 'bearer' | 'introspection' | 'custom';

/** A validated token, the same object for every request that brings it while it is kept. */
export interface Authentication {
  readonly method: AuthMethod;
  readonly claims: Claims;
  readonly scopes: ReadonlySet<string>;
  /** The key that the token is bound to, by its thumbprint (RFC 9449 §6.1); absent for a bearer token. */
  readonly keyThumbprint?: string;
  /** Tells callers apart: what belongs to one is never given to another. It reveals neither token nor subject. */
  readonly identity: string;
}
