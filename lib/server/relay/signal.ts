/** Tells the listeners that something has happened. */
export class Signal {
  readonly #takers = new Set<() => void>();

  /** Adds a listener. Returns a function that removes it. */
  add(take: () => void): () => void {
    this.#takers.add(take);
    return () => void this.#takers.delete(take);
  }

  tell(): void {
    for (const take of this.#takers) take();
  }
}
