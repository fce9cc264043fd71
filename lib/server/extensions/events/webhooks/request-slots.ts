/** Lets a number of requests run at once, and the others wait their turn. */
export class RequestSlots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs an action once there is a slot for it. */
  async run<Result>(act: () => Promise<Result>): Promise<Result> {
    await this.#take();
    try {
      return await act();
    } finally {
      this.#release();
    }
  }

  async #take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** A slot goes to who waits for it without becoming free between. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
