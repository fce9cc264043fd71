import { MeasurementError } from '../measurement.error.js';

/** How much longer than its share a workload may take, before what it waits for is cut off. */
const PATIENCE = 2;

/** What is on its way at Ctrl-C may come back, so that sessions are known that it opens. */
const FAREWELL_MS = 500;

/** The time that one workload has. */
export class WorkloadTime {
  readonly #cut = new AbortController();
  #endsAt = Number.POSITIVE_INFINITY;
  #late: NodeJS.Timeout;
  #farewell: NodeJS.Timeout | undefined;

  /**
   * @param budgetMs how long it is measured
   * @param openingMs how long what comes before may take
   */
  constructor(
    readonly budgetMs: number,
    private readonly interrupt: AbortSignal,
    openingMs = budgetMs * PATIENCE,
  ) {
    this.#late = this.#cutIn(openingMs);
    interrupt.addEventListener('abort', this.#stop, { once: true });
  }

  /** Lets the time run from now on. */
  begin(): void {
    clearTimeout(this.#late);
    this.#endsAt = performance.now() + this.budgetMs;
    this.#late = this.#cutIn(this.budgetMs * PATIENCE);
  }

  /** Whether no further request is to be sent. */
  get isOver(): boolean {
    return this.isInterrupted || performance.now() >= this.#endsAt;
  }

  get isInterrupted(): boolean {
    return this.interrupt.aborted;
  }

  /** Is aborted when nothing is waited for any longer, with the reason. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Lets its clocks go. */
  end(): void {
    clearTimeout(this.#late);
    clearTimeout(this.#farewell);
    this.interrupt.removeEventListener('abort', this.#stop);
  }

  #cutIn(milliseconds: number): NodeJS.Timeout {
    const seconds = (this.budgetMs / 1000).toFixed(1);
    const late = new MeasurementError(
      `answers take too long for its ${seconds} s: give all of it more time by "--seconds"`,
    );
    return setTimeout(() => this.#cut.abort(late), milliseconds);
  }

  readonly #stop = (): void => {
    const interrupted = new MeasurementError('it was interrupted');
    this.#farewell = setTimeout(() => this.#cut.abort(interrupted), FAREWELL_MS);
  };
}
