import { hash } from 'node:crypto';
import type { Authentication, AuthMethod } from '../../context/authentication.interface.js';
import type { Claims } from '../../oauth/claims.js';

/** Builds what is kept of a validated token; without a subject the client, and without one the token itself, tells callers apart. */
export function buildAuthentication(method: AuthMethod, claims: Claims, token: string): Authentication {
  const { iss, sub, clientId } = claims;
  // Where no issuer is named, the same name may be somebody else's to each kind of validator.
  const authority = iss === undefined ? ['method', method] : ['issuer', iss];
  const name = findName(sub, clientId) ?? ['token', token];
  return { method, claims, scopes: new Set(claims.scopes), identity: digest([...authority, ...name]) };
}

function findName(sub: string | undefined, clientId: string | undefined): readonly string[] | undefined {
  if (sub !== undefined) return ['subject', sub];
  return clientId === undefined ? undefined : ['client', clientId];
}

function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
