import type { Claims } from '../../../core/oauth/claims.js';
import type { Authentication, AuthMethod } from '../../context/authentication.interface.js';
import { identifyCaller } from '../../context/identify-caller.js';

/** Builds what is kept of a validated token; without a subject the token itself tells callers apart, since many may use the same client. */
export function buildAuthentication(method: AuthMethod, claims: Claims, token: string): Authentication {
  const { iss, sub } = claims;
  const identity = identifyCaller({
    // Where no issuer is named, the same name may be somebody else's to each kind of validator.
    authority: iss === undefined ? { method } : { issuer: iss },
    name: sub === undefined ? { token } : { subject: sub },
  });
  return { method, claims, scopes: new Set(claims.scopes), identity };
}
