/** Lets work be put in order when its user presses Ctrl-C, which would end the process at once; the second time it does. */
export class Interrupt {
  readonly #pressed = new AbortController();
  readonly #heed = (): void => this.#pressed.abort();

  /** Is aborted when the key is pressed. */
  get signal(): AbortSignal {
    return this.#pressed.signal;
  }

  /** Takes the key from now on. */
  begin(): void {
    process.once('SIGINT', this.#heed);
  }

  /** Ends the process as the key would have where it was pressed, so that a shell sees what ended it. */
  end(): void {
    process.off('SIGINT', this.#heed);
    if (this.signal.aborted) process.kill(process.pid, 'SIGINT');
  }
}
