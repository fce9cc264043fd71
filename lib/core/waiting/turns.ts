/** A mutex for each name, in the order of the requests. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs work after all earlier work of this name, however that ended.
   *
   * @param wait waits for the earlier work, and throws to abandon this one
   */
  async run<Result>(
    name: string,
    work: () => Promise<Result>,
    wait = (before: Promise<void>): Promise<void> => before,
  ): Promise<Result> {
    const before = this.#last.get(name);
    let end = (): void => undefined;
    const own = new Promise<void>((resolve) => (end = resolve));
    const last = before === undefined ? own : before.then(() => own);
    this.#last.set(name, last);
    try {
      if (before !== undefined) await wait(before);
      return await work();
    } finally {
      end();
      if (this.#last.get(name) === last) this.#last.delete(name);
    }
  }
}
