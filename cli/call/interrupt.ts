/** Lets work shut down gracefully on the first Ctrl-C. The second one ends the process. */
export class Interrupt {
  readonly #pressed = new AbortController();
  #received: NodeJS.Signals | undefined;

  readonly #take = (signal: NodeJS.Signals): void => {
    this.#received ??= signal;
    this.#pressed.abort();
  };

  /** @param signals the signals to handle; @default SIGINT */
  constructor(private readonly signals: readonly NodeJS.Signals[] = ['SIGINT']) {}

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#pressed.signal;
  }

  /** Starts to handle the signals. */
  begin(): void {
    for (const signal of this.signals) process.once(signal, this.#take);
  }

  /**
   * Stops handling the signals. Sends a signal that was received to the process itself, so that a shell sees which
   * signal ended it.
   */
  end(): void {
    for (const signal of this.signals) process.off(signal, this.#take);
    if (this.#received !== undefined) process.kill(process.pid, this.#received);
  }
}
