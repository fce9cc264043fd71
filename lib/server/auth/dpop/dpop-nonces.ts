import { hash } from 'node:crypto';
import type { Sealer } from '../../../core/sealing/sealer.js';

/** The number of characters in the digest that distinguishes servers with the same secret. */
const SERVER_CHARACTERS = 8;

/** The parts that create nonces. */
export interface NonceParts {
  readonly sealer: Sealer;
  /** The server path, because servers of one application share a secret. */
  readonly server: string;
  /** The maximum lifetime of a nonce. */
  readonly lifetimeSeconds: number;
}

/**
 * Creates nonces for proofs, and verifies them without storing any. A nonce is a timestamp that is signed with the
 * server's secret, so every process with that secret accepts it.
 *
 * @see RFC 9449 §8, §9, §11.1
 */
export class DpopNonces {
  readonly #server: string;
  readonly #periodMs: number;
  #current = { period: Number.NaN, nonce: '' };

  constructor(private readonly parts: NonceParts) {
    this.#server = hash('sha256', parts.server, 'base64url').slice(0, SERVER_CHARACTERS);
    this.#periodMs = (parts.lifetimeSeconds * 1000) / 2;
  }

  /** The current nonce. It changes after half of its lifetime, so every nonce is valid for at least that long. */
  get current(): string {
    const period = this.#period;
    if (this.#current.period !== period) this.#current = { period, nonce: this.#create(period) };
    return this.#current.nonce;
  }

  /** Returns whether a nonce was created recently, by any process of the server. */
  isRecent(nonce: unknown): boolean {
    if (nonce === this.current) return true;
    const text = typeof nonce === 'string' ? this.parts.sealer.verify('dpop-nonce', nonce) : undefined;
    const [server, period = ''] = text?.split('~') ?? [];
    const age = this.#period - Number.parseInt(period, 36);
    // The clock of the process that created it may be ahead.
    return server === this.#server && Math.abs(age) <= 1;
  }

  get #period(): number {
    return Math.floor(Date.now() / this.#periodMs);
  }

  #create(period: number): string {
    return this.parts.sealer.sign('dpop-nonce', `${this.#server}~${period.toString(36)}`);
  }
}
