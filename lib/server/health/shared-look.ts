import { settleWithin } from '../../core/waiting/settle-within.js';

/** What was found counts for so long: probes of several balancers must not become load. */
const KEPT_MS = 1000;

/** Looks whether something answers, once for all who ask at about the same time. */
export class SharedLook {
  #look: Promise<boolean> | undefined;
  #endsAt = -Infinity;

  /** @param timeoutMs milliseconds after which it does not answer */
  constructor(
    private readonly look: () => Promise<unknown>,
    private readonly timeoutMs: number,
  ) {}

  /** Tells whether it answers in time, and without an error. */
  isWell(): Promise<boolean> {
    if (this.#look !== undefined && performance.now() < this.#endsAt) return this.#look;
    this.#endsAt = performance.now() + Math.max(this.timeoutMs, KEPT_MS);
    return (this.#look = this.#run());
  }

  async #run(): Promise<boolean> {
    let isWell = false;
    const looking = this.look().then(
      () => (isWell = true),
      () => undefined,
    );
    await settleWithin(looking, this.timeoutMs);
    this.#endsAt = performance.now() + KEPT_MS;
    return isWell;
  }
}
