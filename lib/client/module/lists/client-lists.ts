import { untilAborted } from '../../../core/async/promises.js';
import type { ClientLink } from '../connection/client-link.js';
import type { ConnectedWork } from '../connection/connection.js';
import type { ChangeListener } from '../listening/change-listener.js';
import { buildRequestOptions } from '../mcp-client-calls.js';
import { LISTS, type ChangeFamily, type ListedItems, type ListName } from './list-families.js';

/** What fetching lists depends on. */
interface ListSource {
  readonly link: ClientLink;
  readonly listener: ChangeListener;
  readonly timeoutMs: number;
}

/** The cached lists from one client's server. */
export class ClientLists {
  readonly #caches: { readonly [Name in ListName]: ListCache<ListedItems[Name]> };

  constructor(private readonly source: ListSource) {
    this.#caches = {
      tools: this.#createCache('tools'),
      resources: this.#createCache('resources'),
      resourceTemplates: this.#createCache('resourceTemplates'),
      prompts: this.#createCache('prompts'),
    };
  }

  /** Returns a list. Aborting ends only this wait, because others may wait for the same fetch. */
  async get<Name extends ListName>(
    name: Name,
    signal: AbortSignal | undefined,
  ): Promise<readonly ListedItems[Name][]> {
    signal?.throwIfAborted();
    return untilAborted(this.#caches[name].get(), signal);
  }

  /** Invalidates a family's lists, or all lists. */
  invalidate(family?: ChangeFamily): void {
    for (const name of Object.keys(LISTS) as ListName[]) {
      if (family === undefined || LISTS[name].family === family) this.#caches[name].invalidate();
    }
  }

  #createCache<Name extends ListName>(name: Name): ListCache<ListedItems[Name]> {
    return new ListCache(() => this.#fetch(name));
  }

  #fetch<Name extends ListName>(name: Name): Promise<FetchedList<ListedItems[Name]>> {
    const { link, listener, timeoutMs } = this.source;
    const { family, fetch } = LISTS[name];
    const options = { cacheMode: 'refresh', ...buildRequestOptions({}, timeoutMs) } as const;
    const fetchList: ConnectedWork<FetchedList<ListedItems[Name]>> = async (client, connection) => {
      const isTold = listener.isNotified(connection, family);
      const { items, result } = await fetch(client, options);
      const ttlMs = readTtl(result);
      if (ttlMs !== 0) listener.watchList(family);
      return { items, ttlMs, isNotified: isTold };
    };
    return link.use(fetchList, { isRepeatable: true });
  }
}

function readTtl(result: { readonly ttlMs?: unknown }): number | undefined {
  return typeof result.ttlMs === 'number' ? result.ttlMs : undefined;
}

/** A fetched list. */
export interface FetchedList<Item> {
  readonly items: readonly Item[];
  /** The server's TTL; absent if it sent none. */
  readonly ttlMs: number | undefined;
  /** Whether the server notifies about changes. */
  readonly isNotified: boolean;
}

/** The longest accepted TTL. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/**
 * Caches a list for the server's TTL. Without a TTL, the list is cached until the server notifies about a change, and
 * not at all if the server does not notify. Concurrent callers share one fetch.
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

  /** Returns the cached list, or fetches it if that is stale. */
  async get(): Promise<readonly Item[]> {
    if (this.#held !== undefined && this.now() < this.#held.expiresAt) return this.#held.items;
    this.#flight ??= this.#refetch();
    return this.#flight;
  }

  /** Invalidates the cached list, and the running fetch. */
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

  #findExpiry({ ttlMs, isNotified: isTold }: FetchedList<unknown>): number {
    if (ttlMs === undefined) return isTold ? Number.POSITIVE_INFINITY : 0;
    return this.now() + Math.min(LONGEST_MS, Math.max(0, ttlMs));
  }
}
