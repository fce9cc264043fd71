import { createHash } from 'node:crypto';
import type { CredentialKey } from './credential-store.js';

/** Long enough to prevent collisions. */
const HASH_LENGTH = 32;

/** Names a server in a form that file systems accept. */
export function hashServerUrl(serverUrl: string): string {
  return hash(normalizeServerUrl(serverUrl));
}

/** Names a server and an issuer in a form that file systems accept. The name starts with the part for the server. */
export function hashCredentialKey({ serverUrl, issuer }: CredentialKey): string {
  return `${hashServerUrl(serverUrl)}-${hash(issuer)}`;
}

/** Normalizes a server URL to the parser's form, without the fragment. */
export function normalizeServerUrl(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.hash = '';
  return url.href;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
}
