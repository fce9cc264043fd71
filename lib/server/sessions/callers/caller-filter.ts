import type { Claims } from '../../../core/oauth/access-token.js';
import { nameAccount } from '../../memory/memory-account.js';

/** What is known about a caller. */
export interface KnownCaller {
  readonly identity?: string | undefined;
  readonly claims?: Claims | undefined;
}

/** Selects callers in messages between processes, without tokens. */
export interface CallerTerms {
  /** Selects callers with any of these identities. @default any caller */
  readonly identities?: readonly string[];
  /** @default any subject */
  readonly subject?: string;
  /** @default any issuer */
  readonly issuer?: string;
  /** @default any client */
  readonly clientId?: string;
}

/** Returns whether a caller matches the terms. */
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
