/** Something that happens again and again, and those who hear of it. */
export class Occasion {
  readonly #takers = new Set<() => void>();

  /** Adds one who hears of it; gives what ends that. */
  add(take: () => void): () => void {
    this.#takers.add(take);
    return () => void this.#takers.delete(take);
  }

  tell(): void {
    for (const take of this.#takers) take();
  }
}
