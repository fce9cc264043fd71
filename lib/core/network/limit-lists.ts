import type { ResponseLimit } from './limited-fetch.js';
import { ResponseTooLargeError } from './response-too-large.error.js';

/** Measures the pages of one list, which together may have as many bytes as one response. */
export class ListMeter {
  #bytes = 0;

  /** @param url the server, for the error */
  constructor(
    private readonly url: string,
    private readonly limit: ResponseLimit,
  ) {}

  /** @throws {ResponseTooLargeError} if the list is too large with this page */
  add(page: unknown): void {
    this.#bytes += new TextEncoder().encode(JSON.stringify(page)).byteLength;
    if (this.#bytes > this.limit.maxBytes)
      throw new ResponseTooLargeError({ url: this.url, unit: 'list', ...this.limit });
  }
}

/** The part of the official client that sends requests. The last of the other arguments has the options of a request. */
interface Requester {
  request(request: PageRequest, ...others: unknown[]): Promise<unknown>;
}

interface PageRequest {
  readonly method: string;
  readonly params?: { readonly [name: string]: unknown } | undefined;
}

/** Stands for the options of requests that have none. */
const NO_OPTIONS = {};

/**
 * Limits all lists that a client reads page by page. Pages requested with the same options object belong together, as
 * in the official client.
 *
 * @param url the server, for the error
 */
export function limitLists(client: object, url: string, limit: ResponseLimit): void {
  const requester = client as Requester;
  const request = requester.request.bind(requester);
  const meters = new WeakMap<object, Map<string, ListMeter>>();
  requester.request = async (asked, ...others) => {
    const { method, params } = asked;
    const page = (await request(asked, ...others)) as { readonly nextCursor?: unknown } | undefined;
    const isFirst = params?.['cursor'] === undefined;
    if (isFirst && page?.nextCursor === undefined) return page;
    const options = Object(others.at(-1) ?? NO_OPTIONS) as object;
    const lists = meters.get(options) ?? new Map<string, ListMeter>();
    const meter = (isFirst ? undefined : lists.get(method)) ?? new ListMeter(url, limit);
    meters.set(options, lists.set(method, meter));
    meter.add(page);
    return page;
  };
}
