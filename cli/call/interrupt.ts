/** Lets work be put in order when its user presses Ctrl-C, which would end the process at once; the second time it does. */
export class Interrupt {
  readonly #pressed = new AbortController();
  #received: NodeJS.Signals | undefined;

  readonly #take = (signal: NodeJS.Signals): void => {
    this.#received ??= signal;
    this.#pressed.abort();
  };

  /** @param signals what would end the process; @default that of the key alone */
  constructor(private readonly signals: readonly NodeJS.Signals[] = ['SIGINT']) {}

  /** Is aborted when the key is pressed. */
  get signal(): AbortSignal {
    return this.#pressed.signal;
  }

  /** Takes the key from now on. */
  begin(): void {
    for (const signal of this.signals) process.once(signal, this.#take);
  }

  /** Ends the process as the key would have where it was pressed, so that a shell sees what ended it. */
  end(): void {
    for (const signal of this.signals) process.off(signal, this.#take);
    if (this.#received !== undefined) process.kill(process.pid, this.#received);
  }
}
