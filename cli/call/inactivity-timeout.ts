/** Aborts work that makes no progress for too long. */
export class InactivityTimeout {
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #explain: (() => Error) | undefined;

  /** @param limitMs milliseconds without progress; absent if there is no limit */
  constructor(private readonly limitMs: number | undefined) {}

  /** Aborted after the time without progress. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Starts the timer. */
  start(explain: (limitMs: number) => Error): void {
    const { limitMs } = this;
    if (limitMs === undefined) return;
    this.#explain = () => explain(limitMs);
    this.renew();
  }

  /** Restarts the timer, if it was started. */
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
