import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** What a text is encrypted for: one of another purpose cannot be read. */
export type CipherPurpose = 'task' | 'webhook' | 'relay';

/**
 * Encrypts what the processes of a server keep together outside of them. The first secret encrypts; the others can still be read with, so
 * that secrets can be changed without a stop.
 *
 * @see NIST SP 800-38D, RFC 5869
 * @example
 * const cipher = new Cipher('task', ['current secret', 'the one before']);
 * cipher.decrypt(cipher.encrypt('text', 'task-1'), 'task-1'); // 'text'
 */
export class Cipher {
  readonly #keys: readonly Buffer[];

  constructor(purpose: CipherPurpose, secrets: readonly [string, ...string[]]) {
    const info = `nestjs-mcp cipher ${purpose}`;
    this.#keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', info, KEY_BYTES)));
  }

  /**
   * Gives a text as visible ASCII that only the holders of a secret can read.
   *
   * @param place what it belongs to: it cannot be read as anything else's
   */
  encrypt(text: string, place: string): string {
    const [key] = this.#keys;
    if (key === undefined) throw new RangeError('There is no secret to encrypt with');
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url');
  }

  /** Gives what was encrypted; nothing if it was for something else, by another secret, or was changed. */
  decrypt(encrypted: string, place: string): string | undefined {
    const bytes = Buffer.from(encrypted, 'base64url');
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    for (const key of this.#keys) {
      const text = decrypt(bytes, key, place);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function decrypt(bytes: Buffer, key: Buffer, place: string): string | undefined {
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    return undefined;
  }
}
