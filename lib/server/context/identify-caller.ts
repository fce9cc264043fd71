import { hash } from 'node:crypto';
import { formatBoundIdentity } from '../memory/name-account.js';
import type { AuthMethod } from './authentication.interface.js';

/** The facts that distinguish a caller from all others. */
export interface CallerName {
  /** Who says who the caller is: an issuer, or the kind of validator if no issuer is named. */
  readonly authority: { readonly issuer: string } | { readonly method: AuthMethod };
  /** The subject of the token. If the token names nobody, the token itself, since many may use the same client. */
  readonly name: { readonly subject: string } | { readonly token: string };
  /** The key to which the token is bound. Work that began with one key is not for a holder of another. @default none */
  readonly key?: string | undefined;
}

/** Returns a text for a caller that is the same for the same caller, and that reveals neither token nor subject. */
export function identifyCaller({ authority, name, key }: CallerName): string {
  const parts = [...Object.entries(authority), ...Object.entries(name)].flat();
  const account = hash('sha256', JSON.stringify(parts), 'base64url');
  return key === undefined ? account : formatBoundIdentity(account, key);
}
