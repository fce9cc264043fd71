import { hash } from 'node:crypto';

/** Gives the digest of a file as skills have it: of its bytes, by SHA-256 (MCP extension skills, "Resources"). */
export function formatDigest(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}

/** Tells whether a value is such a digest. */
export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}
