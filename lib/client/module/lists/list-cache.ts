/** A list as it was fetched. */
export interface FetchedList<Item> {
  readonly items: readonly Item[];
  /** How long the server says that it may be kept; absent if it says nothing. */
  readonly ttlMs: number | undefined;
  /** Whether the server would announce a change. */
  readonly isTold: boolean;
}

/** No server makes a list stay for longer. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps a list for as long as its server says. If the server says nothing, the list is kept until the server announces a
 * change, and not at all if the server would not announce one. Callers who ask at the same time share one fetch.
 *
 * @see MCP 2026-07-28 server/utilities/caching
 */
export class ListCache<Item> {
  #held: { readonly items: readonly Item[]; readonly expiresAt: number } | undefined;
  #flight: Promise<readonly Item[]> | undefined;
  #changes = 0;

  constructor(
    private readonly fetch: () => Promise<FetchedList<Item>>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Returns the list, fetched if the one at hand is stale. */
  async get(): Promise<readonly Item[]> {
    if (this.#held !== undefined && this.now() < this.#held.expiresAt) return this.#held.items;
    this.#flight ??= this.#refetch();
    return this.#flight;
  }

  /** Makes what is held stale, and what is being fetched too. */
  invalidate(): void {
    this.#changes += 1;
    this.#held = undefined;
    this.#flight = undefined;
  }

  async #refetch(): Promise<readonly Item[]> {
    const changes = this.#changes;
    try {
      const list = await this.fetch();
      if (changes === this.#changes) this.#held = { items: list.items, expiresAt: this.#findExpiry(list) };
      return list.items;
    } finally {
      if (changes === this.#changes) this.#flight = undefined;
    }
  }

  #findExpiry({ ttlMs, isTold }: FetchedList<unknown>): number {
    if (ttlMs === undefined) return isTold ? Number.POSITIVE_INFINITY : 0;
    return this.now() + Math.min(LONGEST_MS, Math.max(0, ttlMs));
  }
}
