import { randomBytes } from 'node:crypto';
import { HmacSha256, isSameSecret } from '../../core/sealing/hmac-sha256.js';
import type { Keyring } from '../../core/sealing/keyring.js';

const NAME_BYTES = 6;
const CODE_BYTES = 6;
const NAME_CHARACTERS = 2 * (NAME_BYTES + CODE_BYTES);

/**
 * Names processes. A name contains a code that can only be computed with the secret, because client-supplied ids
 * contain process names, and a made-up name must not start a search for a process.
 *
 * @see RFC 2104 §5, RFC 5869
 */
export class MemberNames {
  readonly #keys: readonly HmacSha256[];

  constructor(
    keyring: Keyring,
    private readonly server: string,
  ) {
    this.#keys = keyring.derive('member').map((key) => new HmacSha256(key));
  }

  /** Returns a unique name, which consists of letters and digits. */
  create(): string {
    const [key] = this.#keys;
    if (key === undefined) throw new RangeError('A process name cannot be created without a secret');
    const name = randomBytes(NAME_BYTES).toString('hex');
    return `${name}${this.#sign(key, name).toString('hex')}`;
  }

  /** Returns whether a name belongs to one of this server's processes. */
  isOurs(name: string): boolean {
    if (name.length !== NAME_CHARACTERS) return false;
    const code = Buffer.from(name.slice(2 * NAME_BYTES), 'hex');
    const drawn = name.slice(0, 2 * NAME_BYTES);
    return this.#keys.some((key) => isSameSecret(this.#sign(key, drawn), code));
  }

  /**
   * Selects the names of this server's processes. Messages from a process with a different secret could not be
   * decrypted.
   */
  select(names: readonly string[]): readonly string[] {
    return names.filter((name) => this.isOurs(name));
  }

  #sign(key: HmacSha256, name: string): Buffer {
    return Buffer.from(key.sign(`${name} ${this.server}`), 'base64url').subarray(0, CODE_BYTES);
  }
}
