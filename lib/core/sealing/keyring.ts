import { hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** The version of everything that is signed or encrypted. Each version has different keys. */
const FORMAT = 'v2';

/** The scope of a server's keys. Any difference here results in different keys. */
export interface KeyScope {
  /** The prefix of its keys in the cluster's backend; empty without a cluster. */
  readonly prefix: string;
  /** The path of the server in its options. Proxies may change it. */
  readonly path: string;
}

/**
 * Derives the keys of one server from its secrets. A key belongs to a purpose, to the prefix and path of the server,
 * and to the version of the format, so nothing that is signed or encrypted for one of them is accepted for another.
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
   * @param acceptsFormer whether keys of the previous version are accepted, which had neither prefix nor path
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
   * Returns one key for each secret, in their order.
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
