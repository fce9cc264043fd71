/** Has work done once for all who want the same while it is done. */
export class SharedWork<Result> {
  readonly #running = new Map<string, Promise<Result>>();

  /** Does work, or waits for what was begun under the same name. */
  share(name: string, work: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(name);
    if (running !== undefined) return running;
    const begun = work().finally(() => this.#running.delete(name));
    this.#running.set(name, begun);
    return begun;
  }
}
