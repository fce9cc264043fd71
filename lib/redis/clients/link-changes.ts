/** What tells about events. */
interface Emitter {
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
}

/** Tells about the events of a client, to however many, by one listener for each event. */
export class LinkChanges {
  readonly #tells = new Set<() => void>();

  constructor(
    private readonly emitter: Emitter,
    private readonly events: readonly string[],
  ) {}

  add(tell: () => void): () => void {
    if (this.#tells.size === 0) for (const event of this.events) this.emitter.on(event, this.tell);
    this.#tells.add(tell);
    return () => {
      if (!this.#tells.delete(tell) || this.#tells.size > 0) return;
      for (const event of this.events) this.emitter.off(event, this.tell);
    };
  }

  readonly tell = (): void => {
    for (const tell of this.#tells) tell();
  };
}
