import { orAborted } from '../../../core/waiting/or-aborted.js';
import { buildRequestOptions } from '../build-params.js';
import type { ClientLink } from '../connection/client-link.js';
import type { ConnectedWork } from '../connection/link-work.interface.js';
import type { ChangeListener } from '../listening/change-listener.js';
import { ListCache, type FetchedList } from './list-cache.js';
import { LISTS, type ChangeFamily, type ListedItems, type ListName } from './list-families.js';

/** The parts that fetch lists. */
export interface ListSource {
  readonly link: ClientLink;
  readonly listener: ChangeListener;
  readonly timeoutMs: number;
}

/** The lists of one client's server, each kept for as long as it may be. */
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

  /** Returns a list. The fetch is not ended by one who does not wait for it any longer: others may. */
  async get<Name extends ListName>(
    name: Name,
    signal: AbortSignal | undefined,
  ): Promise<readonly ListedItems[Name][]> {
    signal?.throwIfAborted();
    return orAborted(this.#caches[name].get(), signal);
  }

  /** Makes the lists of a family stale; without one, all of them. */
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
      const isTold = listener.isTold(connection, family);
      const { items, result } = await fetch(client, options);
      const ttlMs = readTtl(result);
      if (ttlMs !== 0) listener.want(family);
      return { items, ttlMs, isTold };
    };
    return link.use(fetchList, { isRepeatable: true });
  }
}

function readTtl(result: { readonly ttlMs?: unknown }): number | undefined {
  return typeof result.ttlMs === 'number' ? result.ttlMs : undefined;
}
