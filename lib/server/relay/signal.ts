/** Tells whoever listens that something has happened. */
export class Signal {
  readonly #takers = new Set<() => void>();

  /** Adds a listener; gives what takes it away again. */
  add(take: () => void): () => void {
    this.#takers.add(take);
    return () => void this.#takers.delete(take);
  }

  tell(): void {
    for (const take of this.#takers) take();
  }
}
