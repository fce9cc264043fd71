import type { Party } from './party.js';

/** Who has which name, as `https://<name>` leads there. */
export type Names = { readonly [name: string]: Party };

/** A `fetch` for which parties on this machine have names on the internet; nobody else is there. */
export class NameService {
  /** Every URL that was asked for, whoever has it. */
  readonly asked: string[] = [];

  constructor(private readonly names: Names) {}

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    this.asked.push(url.href);
    const party = url.protocol === 'https:' ? this.names[url.host] : undefined;
    if (party === undefined) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    return fetch(party.origin + url.pathname + url.search, init);
  };
}
