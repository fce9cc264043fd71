import type { Claims } from '../../../core/oauth/claims.js';
import type { Authentication, AuthMethod } from '../../context/authentication.interface.js';
import { identifyCaller } from '../../context/identify-caller.js';
import { findKeyThumbprint } from './token-binding.js';

/** A token that is good, unless it is bound to what is not checked. */
export interface ReadToken {
  readonly method: AuthMethod;
  readonly claims: Claims;
  readonly token: string;
  /** Whether the server checks proofs of keys. @default false */
  readonly takesDpop?: boolean | undefined;
}

/**
 * Builds the cached result of a validated token. Without a subject, the token itself tells callers apart, since many
 * may use the same client.
 *
 * @throws {BoundTokenError} if it is bound to anything that the server does not check
 */
export function buildAuthentication({ method, claims, token, takesDpop = false }: ReadToken): Authentication {
  const { iss, sub, extra } = claims;
  const keyThumbprint = findKeyThumbprint(extra['cnf'], takesDpop);
  const identity = identifyCaller({
    // If no issuer is named, the same name may be somebody else's to each kind of validator.
    authority: iss === undefined ? { method } : { issuer: iss },
    name: sub === undefined ? { token } : { subject: sub },
    key: keyThumbprint,
  });
  const scopes = new Set(claims.scopes);
  return { method, claims, scopes, identity, ...(keyThumbprint !== undefined && { keyThumbprint }) };
}
