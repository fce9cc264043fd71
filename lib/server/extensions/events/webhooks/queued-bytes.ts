/** Counts what waits in all queues together, and in those of each owner. */
export class QueuedBytes {
  readonly #byOwner = new Map<string, number>();
  #bytes = 0;

  constructor(
    private readonly most: number,
    private readonly mostPerOwner = most,
  ) {}

  hasRoomFor(bytes: number, owner?: string): boolean {
    return this.#bytes + bytes <= this.most && this.#count(owner) + bytes <= this.mostPerOwner;
  }

  add(bytes: number, owner?: string): void {
    this.#bytes += bytes;
    if (owner === undefined) return;
    const own = this.#count(owner) + bytes;
    if (own === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, own);
  }

  /** Messages for unknown owners have only the bound for all. */
  #count(owner: string | undefined): number {
    return owner === undefined ? 0 : (this.#byOwner.get(owner) ?? 0);
  }
}
