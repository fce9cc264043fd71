import { hash } from 'node:crypto';
import type { Claims } from '../../../core/oauth/claims.js';
import type { Authentication, AuthMethod } from '../../context/authentication.interface.js';

/** Builds what is kept of a validated token; without a subject the token itself tells callers apart, since many may use the same client. */
export function buildAuthentication(method: AuthMethod, claims: Claims, token: string): Authentication {
  const { iss, sub } = claims;
  // Where no issuer is named, the same name may be somebody else's to each kind of validator.
  const authority = iss === undefined ? ['method', method] : ['issuer', iss];
  const name = sub === undefined ? ['token', token] : ['subject', sub];
  return { method, claims, scopes: new Set(claims.scopes), identity: digest([...authority, ...name]) };
}

function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
