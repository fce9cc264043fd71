import { hash } from 'node:crypto';

/** Returns the digest of a file as skills have it: of its bytes, by SHA-256 (MCP extension skills, "Resources"). */
export function formatDigest(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}
