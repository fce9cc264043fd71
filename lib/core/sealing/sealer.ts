import { HmacSha256, isSameSecret } from './hmac-sha256.js';
import { Keyring } from './keyring.js';

/** The purpose of a sealed value, which cannot be opened for another purpose. */
export type SealPurpose = 'session-id' | 'request-state' | 'extension' | 'state-handle' | 'dpop-nonce';

/**
 * Signs data that clients hold for the server, so that changes are detected. The contents are readable.
 *
 * The first secret signs; the others are still accepted, so that you can rotate secrets without downtime.
 *
 * @example
 * const sealer = new Sealer(new Keyring(['current secret', 'the one before']));
 * sealer.open('request-state', sealer.seal('request-state', { step: 2 })); // { step: 2 }
 */
export class Sealer {
  readonly #keyring: Keyring;
  readonly #keys = new Map<SealPurpose, readonly HmacSha256[]>();

  /** @param keyring @default random keys, as if there were no secret */
  constructor(keyring = Keyring.random()) {
    this.#keyring = keyring.isEmpty ? Keyring.random() : keyring;
  }

  /** Seals a value as visible ASCII that only holders of the secret can create. */
  seal(purpose: SealPurpose, value: unknown): string {
    return this.sign(purpose, Buffer.from(JSON.stringify(value)).toString('base64url'));
  }

  /**
   * Opens a sealed value. Returns `undefined` if it was sealed elsewhere or was changed.
   *
   * @param parse parses the value's JSON @default JSON.parse
   */
  open(purpose: SealPurpose, sealed: string, parse: (json: Buffer) => unknown = parseWhole): unknown {
    const text = this.verify(purpose, sealed);
    return text === undefined ? undefined : parse(Buffer.from(text, 'base64url'));
  }

  /** Appends a signature to a string. A purpose either seals values or signs strings, never both. */
  sign(purpose: SealPurpose, text: string): string {
    const [key] = this.#getKeys(purpose);
    if (key === undefined) throw new RangeError('There is no secret to sign with');
    return `${text}.${key.sign(text)}`;
  }

  /** Returns a signed string without its signature, or `undefined` if it was signed elsewhere or was changed. */
  verify(purpose: SealPurpose, signed: string): string | undefined {
    const dot = signed.lastIndexOf('.');
    if (dot === -1) return undefined;
    const text = signed.slice(0, dot);
    const signature = Buffer.from(signed.slice(dot + 1));
    const isOurs = this.#getKeys(purpose).some((key) => isSameSecret(Buffer.from(key.sign(text)), signature));
    return isOurs ? text : undefined;
  }

  #getKeys(purpose: SealPurpose): readonly HmacSha256[] {
    const known = this.#keys.get(purpose);
    if (known !== undefined) return known;
    const keys = this.#keyring.derive(purpose).map((key) => new HmacSha256(key));
    this.#keys.set(purpose, keys);
    return keys;
  }
}

function parseWhole(json: Buffer): unknown {
  return JSON.parse(json.toString());
}
