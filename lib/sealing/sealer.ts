import { createHmac, hkdfSync, randomBytes, timingSafeEqual, type Hmac } from 'node:crypto';

const KEY_BYTES = 32;

/** What a sealed text is for: one made for another purpose does not open. */
export type SealPurpose = 'session-id' | 'request-state' | 'extension';

/**
 * Signs what clients carry for the server, so that it comes back unchanged or not at all. The contents are readable.
 *
 * The first secret signs; the others are still taken, so that secrets can be changed without a stop.
 *
 * @example
 * const sealer = new Sealer(['current secret', 'the one before']);
 * sealer.open('request-state', sealer.seal('request-state', { step: 2 })); // { step: 2 }
 */
export class Sealer {
  readonly #secrets: readonly (string | Buffer)[];
  readonly #keys = new Map<SealPurpose, readonly Buffer[]>();

  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets.length === 0 ? [randomBytes(KEY_BYTES)] : secrets;
  }

  /** Gives a value as visible ASCII that only the holders of the secret can make. */
  seal(purpose: SealPurpose, value: unknown): string {
    const [key] = this.#getKeys(purpose);
    if (key === undefined) throw new RangeError('There is no secret to seal with');
    const text = Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${text}.${sign(key, text).digest('base64url')}`;
  }

  /** Gives the value of a sealed text; nothing where it is not one of ours, or was changed. */
  open(purpose: SealPurpose, sealed: string): unknown {
    const dot = sealed.indexOf('.');
    if (dot === -1) return undefined;
    const text = sealed.slice(0, dot);
    const signature = Buffer.from(sealed.slice(dot + 1), 'base64url');
    if (signature.toString('base64url') !== sealed.slice(dot + 1)) return undefined;
    const isOurs = this.#getKeys(purpose).some((key) => isEqual(sign(key, text).digest(), signature));
    return isOurs ? JSON.parse(Buffer.from(text, 'base64url').toString()) : undefined;
  }

  #getKeys(purpose: SealPurpose): readonly Buffer[] {
    const known = this.#keys.get(purpose);
    if (known !== undefined) return known;
    const keys = this.#secrets.map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', `nestjs-mcp ${purpose}`, KEY_BYTES)),
    );
    this.#keys.set(purpose, keys);
    return keys;
  }
}

function sign(key: Buffer, text: string): Hmac {
  return createHmac('sha256', key).update(text);
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
