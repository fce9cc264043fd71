import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { isSameSecret } from './hmac-sha256.js';
import type { Keyring } from './keyring.js';

const ALGORITHM = 'aes-256-ctr';
const IV_BYTES = 16;

interface Keys {
  readonly authentication: Buffer;
  readonly encryption: Buffer;
}

/**
 * Encrypts field names and values deterministically: the same string in the same context always has the same result,
 * so that it can be found and compared. Nothing else is visible without the secret. The nonce is derived from the
 * string.
 *
 * @see RFC 5297 (SIV), here of HMAC-SHA-256 and AES-CTR; RFC 5869
 */
export class FieldCipher {
  readonly #keys: readonly Keys[];

  constructor(keyring: Keyring) {
    const encryption = keyring.derive('field encryption');
    this.#keys = keyring
      .derive('field authentication')
      .map((authentication, index) => ({ authentication, encryption: encryption[index] as Buffer }));
  }

  /**
   * Encrypts a string to visible ASCII that only the holders of a secret can read.
   *
   * @param context what the value belongs to: it cannot be decrypted in a different context
   * @throws {RangeError} if there is no secret
   */
  encrypt(text: string, place: string): string {
    const keys = this.#keys[0];
    if (keys === undefined) throw new RangeError('There is no secret to encrypt with');
    return encrypt(text, place, keys);
  }

  /**
   * Returns the result of {@link encrypt} for each secret. The first one is current; the others are previous or future
   * values while secrets are rotated.
   */
  encryptByEach(text: string, place: string): readonly [string, ...string[]] {
    const others = this.#keys.slice(1).map((keys) => encrypt(text, place, keys));
    return [this.encrypt(text, place), ...others];
  }

  /** Decrypts a string. Returns `undefined` if its context or secret differs, or if it was changed. */
  decrypt(encrypted: string, place: string): string | undefined {
    const bytes = Buffer.from(encrypted, 'base64url');
    if (bytes.length < IV_BYTES) return undefined;
    for (const keys of this.#keys) {
      const text = decrypt(bytes, place, keys);
      if (text !== undefined) return text;
    }
    return undefined;
  }
}

function encrypt(text: string, place: string, { authentication, encryption }: Keys): string {
  const bytes = Buffer.from(text);
  const iv = authenticate(bytes, place, authentication);
  const cipher = createCipheriv(ALGORITHM, encryption, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final()]).toString('base64url');
}

function decrypt(bytes: Buffer, place: string, { authentication, encryption }: Keys): string | undefined {
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv(ALGORITHM, encryption, iv);
  const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]);
  return isSameSecret(authenticate(text, place, authentication), iv) ? text.toString() : undefined;
}

/** The length of the context separates it from the string. */
function authenticate(text: Buffer, place: string, key: Buffer): Buffer {
  const head = `${Buffer.byteLength(place)} ${place}`;
  return createHmac('sha256', key).update(head).update(text).digest().subarray(0, IV_BYTES);
}
