/** Gives a shared thing to one caller after another, in the order of their requests. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Does work when all who came before are done, however they ended.
   *
   * @param wait waits for them, and throws if one's turn is given up
   */
  async take<Result>(
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
