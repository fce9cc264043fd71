/** How long a conversation is considered in use after its last use. */
const IN_USE_MS = 5000;

/** The minimum time between the first and the last use of a conversation that counts as in use. */
const PASSING_MS = 250;

/** Records when a conversation was used and when it last showed activity, on the monotonic clock. */
export abstract class Activity {
  #lastActive = readClock();
  /** When it was first used; `undefined` before that. */
  #firstUsedAt: number | undefined;
  #usedAt = this.#lastActive;
  /** The time since which it has been neither used nor read. */
  #unusedSince = this.#lastActive;

  get isUsed(): boolean {
    return this.#firstUsedAt !== undefined;
  }

  /**
   * Whether it was used recently, and for longer than a single burst after initialization, which any client can send.
   */
  get isInUse(): boolean {
    const { usedAt } = this;
    const lasted = usedAt - (this.#firstUsedAt ?? usedAt);
    return lasted >= PASSING_MS && performance.now() - usedAt < IN_USE_MS;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  /** The time of the last activity, on the `performance.now()` clock. */
  get lastActive(): number {
    return this.#lastActive;
  }

  /** Records activity. */
  touch(): void {
    this.#lastActive = readClock();
  }

  /** Records that the client is or may be connected, and restarts the idle and unused timeouts. */
  keepAlive(): void {
    this.touch();
    this.#unusedSince = this.#lastActive;
  }

  use(): void {
    this.#usedAt = readClock();
    this.#firstUsedAt ??= this.#usedAt;
  }

  /** Returns whether the conversation is unused, and has been since a time on the monotonic clock. */
  isUnusedSince(time: number): boolean {
    return !this.isUsed && this.#unusedSince <= time;
  }

  /** Returns whether there has been no activity since a time on the `performance.now()` clock. */
  isIdleSince(time: number): boolean {
    return this.#lastActive <= time;
  }
}

/** Returns whole milliseconds: V8 stores a small integer inline, and a fraction in a separate heap object. */
function readClock(): number {
  return Math.floor(performance.now());
}
