/** Lets work be put in order when its user presses Ctrl-C, which would end the process at once; the second time it does. */
export class Interrupt {
  readonly #pressed = new AbortController();
  readonly #heed = (): void => this.#pressed.abort();

  constructor() {
    process.once('SIGINT', this.#heed);
  }

  /** Is aborted when the key is pressed. */
  get signal(): AbortSignal {
    return this.#pressed.signal;
  }

  /** Ends the process as the key would have, so that a shell sees what ended it; nothing where it was not pressed. */
  obey(): void {
    if (this.signal.aborted) process.kill(process.pid, 'SIGINT');
  }

  close(): void {
    process.off('SIGINT', this.#heed);
  }
}
