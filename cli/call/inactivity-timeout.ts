/** Ends what continues without a sign of life for too long. */
export class InactivityTimeout {
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #explain: (() => Error) | undefined;

  /** @param limitMs milliseconds from one sign to the next; absent if whoever waits ends it themselves */
  constructor(private readonly limitMs: number | undefined) {}

  /** Is aborted when it has been silent for too long. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Begins to wait for signs. */
  start(explain: (limitMs: number) => Error): void {
    const { limitMs } = this;
    if (limitMs === undefined) return;
    this.#explain = () => explain(limitMs);
    this.renew();
  }

  /** Takes note of a sign; before the beginning there is nothing to wait for. */
  renew(): void {
    const explain = this.#explain;
    if (explain === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#over.abort(explain()), this.limitMs);
  }

  stop(): void {
    this.#explain = undefined;
    clearTimeout(this.#timer);
  }
}
