import { MeasurementError } from '../measurement.error.js';

/** The multiple of its share after which a workload is aborted. */
const PATIENCE = 2;

/** After Ctrl-C, pending responses may still arrive within this time, so that the sessions they open can be ended. */
const FAREWELL_MS = 500;

/** The time budget of one workload. */
export class WorkloadTime {
  readonly #cut = new AbortController();
  #endsAt = Number.POSITIVE_INFINITY;
  #late: NodeJS.Timeout;
  #farewell: NodeJS.Timeout | undefined;

  /**
   * @param budgetMs the duration of the measurement
   * @param openingMs the time limit of the preparation
   */
  constructor(
    readonly budgetMs: number,
    private readonly interrupt: AbortSignal,
    openingMs = budgetMs * PATIENCE,
  ) {
    this.#late = this.#cutIn(openingMs);
    interrupt.addEventListener('abort', this.#stop, { once: true });
  }

  /** Starts the measurement. */
  begin(): void {
    clearTimeout(this.#late);
    this.#endsAt = performance.now() + this.budgetMs;
    this.#late = this.#cutIn(this.budgetMs * PATIENCE);
  }

  /** Whether no further requests should be sent. */
  get isOver(): boolean {
    return this.isInterrupted || performance.now() >= this.#endsAt;
  }

  get isInterrupted(): boolean {
    return this.interrupt.aborted;
  }

  /** Aborted with the reason when the workload must stop waiting. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Stops all timers. */
  end(): void {
    clearTimeout(this.#late);
    clearTimeout(this.#farewell);
    this.interrupt.removeEventListener('abort', this.#stop);
  }

  #cutIn(milliseconds: number): NodeJS.Timeout {
    const seconds = (this.budgetMs / 1000).toFixed(1);
    const late = new MeasurementError(
      `responses are too slow for a slot of ${seconds} s: allow a longer run with "--seconds"`,
    );
    return setTimeout(() => this.#cut.abort(late), milliseconds);
  }

  readonly #stop = (): void => {
    const interrupted = new MeasurementError('the run was interrupted');
    this.#farewell = setTimeout(() => this.#cut.abort(interrupted), FAREWELL_MS);
  };
}
