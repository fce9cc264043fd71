import { BehaviorSubject, filter, firstValueFrom } from 'rxjs';

/** Counts the work that is under way, and tells when all of it is over. */
export class Leases {
  readonly #held = new BehaviorSubject(0);
  #areEnding = false;

  /** Whether no further work may begin. */
  get areEnding(): boolean {
    return this.#areEnding;
  }

  /** Does work, which counts until it has settled. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#held.next(this.#held.value + 1);
    try {
      return await work();
    } finally {
      this.#held.next(this.#held.value - 1);
    }
  }

  /** Resolves once all work is over, and that which it begins meanwhile. */
  async end(): Promise<void> {
    this.#areEnding = true;
    await firstValueFrom(this.#held.pipe(filter((held) => held === 0)));
  }
}
