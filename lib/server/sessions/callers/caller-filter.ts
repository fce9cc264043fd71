import type { Claims } from '../../../core/oauth/access-token.js';
import { nameAccount } from '../../memory/memory-account.js';

/** A caller, as far as it is known. */
export interface KnownCaller {
  readonly identity?: string | undefined;
  readonly claims?: Claims | undefined;
}

/** Who is meant, as processes tell one another: without tokens. */
export interface CallerTerms {
  /** Any of these. @default any caller */
  readonly identities?: readonly string[];
  /** @default any subject */
  readonly subject?: string;
  /** @default any issuer */
  readonly issuer?: string;
  /** @default any client */
  readonly clientId?: string;
}

/** Returns whether somebody is a caller who is meant. */
export function isMeant(
  { identities, subject, issuer, clientId }: CallerTerms,
  { identity, claims }: KnownCaller,
): boolean {
  if (identity === undefined) return false;
  return (
    (identities === undefined ||
      identities.includes(identity) ||
      identities.includes(nameAccount(identity))) &&
    (subject === undefined || claims?.sub === subject) &&
    (issuer === undefined || claims?.iss === issuer) &&
    (clientId === undefined || claims?.clientId === clientId)
  );
}
