import { readPayload, type PayloadRules, type ReadPayload } from './read-payload.js';

/** Payloads whose schema takes its time may wait; more at once are left out. */
const MOST_WAITING = 1000;

/** Reads payloads in the order in which they come, however long the schema takes for each. */
export class PayloadQueue {
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly rules: PayloadRules,
    /** Takes each payload as it was read; must not throw. */
    private readonly take: (read: ReadPayload) => void,
  ) {}

  add(value: unknown): void {
    if (this.#waiting >= MOST_WAITING) {
      return this.take({ fault: `${MOST_WAITING} payloads wait for their schema already` });
    }
    const read = readPayload(value, this.rules);
    if (read instanceof Promise || this.#waiting > 0) this.#append(read);
    else this.take(read);
  }

  /** Calls a function behind all that was added. */
  finish(act: () => void): void {
    if (this.#waiting === 0) act();
    else this.#last = this.#last.then(act);
  }

  #append(read: ReadPayload | Promise<ReadPayload>): void {
    this.#waiting += 1;
    this.#last = this.#takeAfter(this.#last, read);
  }

  async #takeAfter(before: Promise<void>, read: ReadPayload | Promise<ReadPayload>): Promise<void> {
    await before;
    this.take(await read);
    this.#waiting -= 1;
  }
}
