import { hash } from 'node:crypto';
import type { Authentication, AuthMethod } from '../../context/authentication.interface.js';
import type { Claims } from '../../oauth/claims.js';

/** Builds what is kept of a validated token; without a subject the client, and without one the token itself, tells callers apart. */
export function buildAuthentication(method: AuthMethod, claims: Claims, token: string): Authentication {
  return { method, claims, scopes: new Set(claims.scopes), identity: formatIdentity(claims, token) };
}

function formatIdentity({ iss, sub, clientId }: Claims, token: string): string {
  if (sub !== undefined) return digest(['subject', iss ?? '', sub]);
  if (clientId !== undefined) return digest(['client', iss ?? '', clientId]);
  return digest(['token', token]);
}

function digest(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
