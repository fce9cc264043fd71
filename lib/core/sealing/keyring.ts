import { hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** The version of all signed and encrypted data. Each version has different keys. */
const FORMAT = 'v2';

/** The scope of a server's keys. Any difference here results in different keys. */
export interface KeyScope {
  /** The prefix of its keys in the cluster backend; empty without a cluster. */
  readonly prefix: string;
  /** The server path in its options. Proxies may change it. */
  readonly path: string;
}

/**
 * Derives the keys of one server from its secrets. A key belongs to a purpose, the server's prefix and path, and the
 * format version, so data that is signed or encrypted for one of them is not accepted for another.
 *
 * @see RFC 5869
 * @example
 * const keys = new Keyring(['current secret', 'the one before'], { prefix: 'shop', path: '/mcp' });
 * const [current, before] = keys.derive('session-id');
 */
export class Keyring {
  readonly #roots: readonly (string | Buffer)[];

  /**
   * @param secrets the first signs and encrypts; the others are only accepted, so that you can rotate secrets without downtime
   * @param acceptsFormer whether to accept keys of the previous version, which had neither prefix nor path
   */
  constructor(
    secrets: readonly (string | Buffer)[],
    { prefix, path }: KeyScope = { prefix: '', path: '' },
    acceptsFormer = false,
  ) {
    const scope = `scope ${FORMAT} ${JSON.stringify([prefix, path])}`;
    const roots = secrets.map((secret) => deriveKey(secret, scope));
    this.#roots = acceptsFormer ? [...roots, ...secrets] : roots;
  }

  /** Creates random keys. */
  static random(): Keyring {
    return new Keyring([randomBytes(KEY_BYTES)]);
  }

  /** Whether there is no secret. */
  get isEmpty(): boolean {
    return this.#roots.length === 0;
  }

  /**
   * Returns one key for each secret, in order.
   *
   * @param purpose unique within this package
   */
  derive(purpose: string, salt: Buffer | '' = ''): readonly Buffer[] {
    return this.#roots.map((root) => deriveKey(root, purpose, salt));
  }
}

function deriveKey(secret: string | Buffer, purpose: string, salt: Buffer | '' = ''): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, `nestjs-mcp ${purpose}`, KEY_BYTES));
}
