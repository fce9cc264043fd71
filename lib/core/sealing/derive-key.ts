import { hkdfSync } from 'node:crypto';

/** The length of derived keys. */
export const KEY_BYTES = 32;

/**
 * Derives a key from a secret. Each purpose has its own key, so that what is made for one cannot be used for another.
 *
 * @param purpose unlike all others of this package
 * @see RFC 5869
 */
export function deriveKey(secret: string | Buffer, purpose: string, salt: Buffer | '' = ''): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, `nestjs-mcp ${purpose}`, KEY_BYTES));
}
