/** Something that changes, and tells whoever shows it. */
export class Store {
  readonly #listeners = new Set<() => void>();
  #version = 0;

  /** How often it has changed. */
  get version(): number {
    return this.#version;
  }

  /** Calls a function after each change, until the function that it gives is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells about a change. */
  changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
