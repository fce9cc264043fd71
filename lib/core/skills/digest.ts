import { hash } from 'node:crypto';

/** Formats the SHA-256 digest of a file's bytes (MCP extension skills, "Resources"). */
export function formatDigest(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}
