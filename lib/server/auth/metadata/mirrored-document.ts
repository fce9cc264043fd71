import { AuthUnavailableError } from '../validators/auth-unavailable.error.js';

/** How a document is mirrored. */
export interface MirrorSettings {
  /** Gets the document. */
  readonly load: () => Promise<object>;
  /** Is told why it could not be got. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds for which it counts. */
  readonly maximumAgeMs: number;
  /** Milliseconds after a failure until the next attempt. */
  readonly cooldownMs: number;
}

/** Keeps a document of somebody else's for a while, and beyond that while it cannot be got anew. */
export class MirroredDocument {
  #text: string | undefined;
  #dueAt = -Infinity;
  #flight: Promise<void> | undefined;

  constructor(private readonly settings: MirrorSettings) {}

  /**
   * Gives the document as JSON.
   *
   * @throws {AuthUnavailableError} where it could not be got, and never was
   */
  async read(): Promise<string> {
    if (performance.now() >= this.#dueAt) {
      this.#flight ??= this.#refresh();
      await this.#flight;
    }
    if (this.#text !== undefined) return this.#text;
    const retryAfterSeconds = Math.max(1, Math.ceil((this.#dueAt - performance.now()) / 1000));
    throw new AuthUnavailableError('the document could not be got', { retryAfterSeconds });
  }

  async #refresh(): Promise<void> {
    const { load, onFailure, maximumAgeMs, cooldownMs } = this.settings;
    try {
      this.#text = JSON.stringify(await load());
      this.#dueAt = performance.now() + maximumAgeMs;
    } catch (error) {
      this.#dueAt = performance.now() + cooldownMs;
      onFailure(error);
    } finally {
      this.#flight = undefined;
    }
  }
}
