/** For so long after its last use a conversation counts as in use. */
const IN_USE_MS = 5000;

/** The time between the first and the last use of what is more than passing. */
const PASSING_MS = 250;

/** When a conversation was used, and when it gave a sign of life, by a clock that nobody sets. */
export abstract class Activity {
  #lastActive = readClock();
  /** When it was used first; nothing before. */
  #firstUsedAt: number | undefined;
  #usedAt = this.#lastActive;
  /** Since when it was neither used nor read. */
  #unusedSince = this.#lastActive;

  get isUsed(): boolean {
    return this.#firstUsedAt !== undefined;
  }

  /** Whether it is used now: lately, and not just once after its handshake, as anybody can do it in passing. */
  get isInUse(): boolean {
    const { usedAt } = this;
    const lasted = usedAt - (this.#firstUsedAt ?? usedAt);
    return lasted >= PASSING_MS && performance.now() - usedAt < IN_USE_MS;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  /** When there was the last sign of life, as `performance.now()` counts. */
  get lastActive(): number {
    return this.#lastActive;
  }

  /** Notes a sign of life. */
  touch(): void {
    this.#lastActive = readClock();
  }

  /** Notes that the client is there, or may well be: neither silence nor disuse has begun yet. */
  keepAlive(): void {
    this.touch();
    this.#unusedSince = this.#lastActive;
  }

  use(): void {
    this.#usedAt = readClock();
    this.#firstUsedAt ??= this.#usedAt;
  }

  /** Returns whether nothing was done since the handshake, and that ended before a time of the monotonic clock. */
  isUnusedSince(time: number): boolean {
    return !this.isUsed && this.#unusedSince <= time;
  }

  /** Returns whether there was no sign of life since a time, as `performance.now()` counts. */
  isIdleSince(time: number): boolean {
    return this.#lastActive <= time;
  }
}

/** Returns whole milliseconds: V8 keeps a small integer in its object, and a fraction in one of its own. */
function readClock(): number {
  return Math.floor(performance.now());
}
