import { hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;

/** The version of everything that is signed or encrypted. Another version has other keys. */
const FORMAT = 'v2';

/** Where the keys of a server are used. Whatever differs here gives other keys. */
export interface KeyScope {
  /** The prefix of its keys in the engine; empty without an engine. */
  readonly prefix: string;
  /** The path of the server, as its options have it. Proxies may give it another one. */
  readonly path: string;
}

/**
 * Derives the keys of one server from its secrets. A key belongs to a purpose, to the prefix and path of the server, and to
 * the version of the format. So nothing that is signed or encrypted for one of them is accepted for another.
 *
 * @see RFC 5869
 * @example
 * const keys = new Keyring(['current secret', 'the one before'], { prefix: 'shop', path: '/mcp' });
 * const [current, before] = keys.derive('session-id');
 */
export class Keyring {
  readonly #roots: readonly (string | Buffer)[];

  /**
   * @param secrets the first signs and encrypts; the others are only accepted, so that you can change secrets without a stop
   * @param acceptsFormer whether keys of the version before are accepted, which had neither prefix nor path
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

  /** Returns keys that nobody else has. */
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
   * @param purpose unlike all others of this package
   */
  derive(purpose: string, salt: Buffer | '' = ''): readonly Buffer[] {
    return this.#roots.map((root) => deriveKey(root, purpose, salt));
  }
}

function deriveKey(secret: string | Buffer, purpose: string, salt: Buffer | '' = ''): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, `nestjs-mcp ${purpose}`, KEY_BYTES));
}
