import { RetryPause } from '../../../core/waiting/retry-pause.js';
import { AuthUnavailableError } from '../validators/auth-unavailable.error.js';

/** How a document is mirrored. */
export interface MirrorSettings {
  /** Gets the document. */
  readonly load: () => Promise<object>;
  /** Is told why it could not be got. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds for which it counts. */
  readonly maxAgeMs: number;
  /** The longest time after a failure until the next attempt, in milliseconds. */
  readonly cooldownMs: number;
}

/** Keeps a document of somebody else's for a while, and beyond that while it cannot be got again. */
export class MirroredDocument {
  #text: string | undefined;
  readonly #pause: RetryPause;
  #flight: Promise<void> | undefined;

  constructor(private readonly settings: MirrorSettings) {
    this.#pause = new RetryPause(settings.cooldownMs);
  }

  /**
   * Returns the document as JSON.
   *
   * @throws {AuthUnavailableError} if it could not be got, and never was
   */
  async read(): Promise<string> {
    if (this.#pause.leftMs === 0) {
      this.#flight ??= this.#refresh();
      await this.#flight;
    }
    if (this.#text !== undefined) return this.#text;
    throw new AuthUnavailableError('the document could not be got', {
      retryAfterSeconds: this.#pause.leftSeconds,
    });
  }

  async #refresh(): Promise<void> {
    const { load, onFailure, maxAgeMs } = this.settings;
    try {
      this.#text = JSON.stringify(await load());
      this.#pause.succeed(maxAgeMs);
    } catch (error) {
      this.#pause.fail();
      onFailure(error);
    } finally {
      this.#flight = undefined;
    }
  }
}
