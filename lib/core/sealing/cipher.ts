import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.js';

const ALGORITHM = 'aes-256-gcm';
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = SALT_BYTES + IV_BYTES + TAG_BYTES;

/**
 * The maximum number of messages to encrypt with one key, because nonces are random, and two among 2^32 may collide.
 */
const MOST_TEXTS = 2 ** 28;

/** The number of salts whose keys are cached; each process uses one at a time. */
const MOST_SALTS = 256;

/** The purpose of an encrypted message, which cannot be decrypted for another purpose. */
export type CipherPurpose = 'task' | 'webhook' | 'bus' | 'authorization-server';

/**
 * Encrypts the data that a server's processes store in a shared backend. The first secret encrypts; the others only
 * decrypt, so that you can rotate secrets without downtime. Each process encrypts with its own key, which it derives
 * from the server's keys and a salt; every message contains the salt. This way, no key encrypts too much data,
 * however many processes there are and however long a secret is used.
 *
 * @see NIST SP 800-38D §8.3, RFC 5869
 * @example
 * const cipher = new Cipher('task', new Keyring(['current secret', 'the one before']));
 * cipher.decrypt(cipher.encrypt('text', 'task-1'), 'task-1'); // 'text'
 */
export class Cipher {
  readonly #keys = new Map<string, readonly Buffer[]>();
  #salt = randomBytes(SALT_BYTES);
  #key: Buffer | undefined;
  #texts = 0;

  constructor(
    private readonly purpose: CipherPurpose,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Encrypts a string to visible ASCII that only holders of a secret can read.
   *
   * @param context what the value belongs to; it cannot be decrypted in a different context
   * @throws {RangeError} if there is no secret
   */
  encrypt(text: string, place: string): string {
    const key = this.#takeKey();
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(place));
    const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([this.#salt, iv, cipher.getAuthTag(), encrypted]).toString('base64url');
  }

  /** Decrypts a string. Returns `undefined` if its context or secret differs, or if it was changed. */
  decrypt(encrypted: string, place: string): string | undefined {
    const bytes = Buffer.from(encrypted, 'base64url');
    if (bytes.length < HEAD_BYTES) return undefined;
    for (const key of this.#getKeys(bytes.subarray(0, SALT_BYTES))) {
      const text = decrypt(bytes.subarray(SALT_BYTES), key, place);
      if (text !== undefined) return text;
    }
    return undefined;
  }

  #takeKey(): Buffer {
    if (this.#texts >= MOST_TEXTS) this.#salt = randomBytes(SALT_BYTES);
    if (this.#key === undefined || this.#texts >= MOST_TEXTS) {
      this.#key = this.#derive(this.#salt)[0];
      if (this.#key === undefined) throw new RangeError('There is no secret to encrypt with');
      this.#texts = 0;
    }
    this.#texts += 1;
    return this.#key;
  }

  #getKeys(salt: Buffer): readonly Buffer[] {
    const name = salt.toString('latin1');
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const keys = this.#derive(salt);
    const [oldest] = this.#keys.size >= MOST_SALTS ? this.#keys.keys() : [];
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#keys.set(name, keys);
    return keys;
  }

  #derive(salt: Buffer): readonly Buffer[] {
    return this.keyring.derive(`cipher ${this.purpose}`, salt);
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
