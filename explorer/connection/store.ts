/** A state that notifies its listeners of changes. */
export class Store {
  readonly #listeners = new Set<() => void>();
  #version = 0;

  /** The number of changes. */
  get version(): number {
    return this.#version;
  }

  /** Calls a listener after each change. Returns a function that removes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies the listeners of a change. */
  changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
