/** Tells whether a value is the digest of a file as skills have it: of its bytes, by SHA-256 (MCP extension skills, "Resources"). */
export function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}
