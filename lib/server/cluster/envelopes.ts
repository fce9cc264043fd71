import { Logger } from '../../core/logger/logger.js';
import { parseJsonObject } from '../../core/protocol/json-rpc.js';
import { Cipher } from '../../core/sealing/cipher.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';

/** The format version. Messages with another version are from another release of this package. */
const VERSION = 1;

/** How long an unreadable message is reported, in milliseconds, because other processes may send few messages. */
const UNREADABLE_MS = 60_000;

/** An envelope's context. A log entry is not valid as a message, nor for a different server. */
export type EnvelopeChannel = 'log' | 'inbox';

interface Envelope {
  readonly v: typeof VERSION;
  /** JSON, encrypted. */
  readonly e: string;
}

/** Encrypts messages between processes. Readers of the backend learn nothing from them, and forged messages are rejected. */
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

  /** Whether all messages of the last minute were encrypted with a known secret. */
  get isReadable(): boolean {
    return performance.now() - this.#unreadableAt >= UNREADABLE_MS;
  }

  /** The number of messages that were not encrypted with a known secret. */
  get unreadable(): number {
    return this.#unreadable;
  }

  seal(content: object, channel: EnvelopeChannel): string {
    const e = this.#cipher.encrypt(JSON.stringify(content), this.#formatContext(channel));
    return JSON.stringify({ v: VERSION, e } satisfies Envelope);
  }

  /**
   * Returns an envelope's content, or `undefined` if it is malformed, from another release, or encrypted with an
   * unknown secret.
   */
  open(text: string, channel: EnvelopeChannel): object | undefined {
    const envelope: Partial<Envelope> | undefined = parseJsonObject(text);
    if (envelope?.v !== VERSION) return undefined;
    const { e } = envelope;
    const json = typeof e === 'string' ? this.#cipher.decrypt(e, this.#formatContext(channel)) : undefined;
    return json === undefined ? this.#warn() : parseJsonObject(json);
  }

  #formatContext(channel: EnvelopeChannel): string {
    return `${channel} ${this.server}`;
  }

  #warn(): undefined {
    this.#unreadableAt = performance.now();
    this.#unreadable += 1;
    if (!this.#due.isDue('secret')) return undefined;
    this.#logger.warn(
      'Messages from another process cannot be read and are ignored: they were encrypted with a different "secret"',
    );
    return undefined;
  }
}
