/** How often at most: readers may read at will. */
const RENEW_AFTER_MS = 5000;

/** Has something renewed because of what readers find: at once, and then once in a while at most. It keeps no process alive. */
export class PacedRenewal {
  #renewedAt = -Infinity;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly renew: () => Promise<void>) {}

  /** Asks for it. Resolves once it is done, or at once if it was done a moment ago and is going to be done later. */
  async ask(): Promise<void> {
    const waitMs = this.#renewedAt + RENEW_AFTER_MS - performance.now();
    if (waitMs > 0) this.#timer ??= setTimeout(() => void this.#run(), waitMs).unref();
    else void this.#run();
    await this.#running;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#renewedAt = performance.now();
    this.#running = this.renew();
    return this.#running;
  }
}
