import { Logger } from '../../core/logger/logger.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { Cipher } from '../../core/sealing/cipher.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';

/** The wire between processes. What does not have this version is of another release of this package. */
const VERSION = 1;

/** Milliseconds for which an unreadable message counts: other processes may say little. */
const UNREADABLE_MS = 60_000;

/** The context of an envelope. An entry of the log is not valid as a message, or for another server. */
export type EnvelopeChannel = 'log' | 'inbox';

interface Envelope {
  readonly v: typeof VERSION;
  /** JSON, encrypted. */
  readonly e: string;
}

/** Encrypts messages between processes. A reader of the engine learns nothing from them, and messages of a stranger are refused. */
export class Envelopes {
  readonly #logger = new Logger('McpCluster');
  readonly #due = new OncePerMinute();
  readonly #cipher: Cipher;
  #unreadableAt = -Infinity;
  #unreadable = 0;

  constructor(
    keyring: Keyring,
    private readonly server: string,
  ) {
    this.#cipher = new Cipher('bus', keyring);
  }

  /** Whether all messages of the last minute were encrypted by a known secret. */
  get isReadable(): boolean {
    return performance.now() - this.#unreadableAt >= UNREADABLE_MS;
  }

  /** How many messages were encrypted by no known secret. */
  get unreadable(): number {
    return this.#unreadable;
  }

  seal(content: object, place: EnvelopeChannel): string {
    const e = this.#cipher.encrypt(JSON.stringify(content), this.#formatPlace(place));
    return JSON.stringify({ v: VERSION, e } satisfies Envelope);
  }

  /** Returns the content of an envelope, or `undefined` if it is malformed, of an unknown release, or of another secret. */
  open(text: string, place: EnvelopeChannel): object | undefined {
    const envelope = parse(text);
    if (envelope?.v !== VERSION) return undefined;
    const { e } = envelope;
    const json = typeof e === 'string' ? this.#cipher.decrypt(e, this.#formatPlace(place)) : undefined;
    return json === undefined ? this.#warn() : parse(json);
  }

  #formatPlace(place: EnvelopeChannel): string {
    return `${place} ${this.server}`;
  }

  #warn(): undefined {
    this.#unreadableAt = performance.now();
    this.#unreadable += 1;
    if (!this.#due.isDue('secret')) return undefined;
    this.#logger.warn(
      'Messages of another process cannot be read, and are ignored: they were encrypted by another "secret"',
    );
    return undefined;
  }
}

function parse(text: string): Partial<Envelope> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
