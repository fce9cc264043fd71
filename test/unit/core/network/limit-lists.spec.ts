import { describe, expect, it } from '@jest/globals';
import { limitLists } from '../../../../lib/core/network/limited-fetch.js';

const URL = 'https://shop.example.com/mcp';
const LIMIT = { maxBytes: 1_000 };

/** Stands for the official client: each page has 400 bytes, and the last one no cursor. */
class Pages {
  asked = 0;

  request(_request: object, ..._others: unknown[]): Promise<object> {
    this.asked += 1;
    const page = { tools: ['x'.repeat(360)] };
    return Promise.resolve({ ...page, nextCursor: String(this.asked) });
  }
}

async function walk(pages: Pages, count: number, options?: object, method = 'tools/list'): Promise<void> {
  await pages.request({ method }, options);
  for (let page = 1; page < count; page += 1)
    await pages.request({ method, params: { cursor: String(page) } }, options);
}

function createLimited(): Pages {
  const pages = new Pages();
  limitLists(pages, URL, LIMIT);
  return pages;
}

const TOO_LARGE = { response: { url: URL, unit: 'list', maxBytes: 1_000 } };

describe('limitLists', () => {
  it.each([undefined, {}])('fails a list whose pages are too large together (PEER-07)', async (options) => {
    const pages = createLimited();
    await expect(walk(pages, 99, options)).rejects.toMatchObject(TOO_LARGE);
    expect(pages.asked).toBe(3);
  });

  it('begins anew with each list (PEER-07)', async () => {
    const [pages, options] = [createLimited(), {}];
    for (let turn = 0; turn < 5; turn += 1) await walk(pages, 2, options);
    await expect(walk(pages, 3, options)).rejects.toMatchObject(TOO_LARGE);
  });

  it('counts lists apart that are read at once, by their options and their methods (PEER-07)', async () => {
    const [pages, options] = [createLimited(), {}];
    await Promise.all([walk(pages, 2, options), walk(pages, 2, {}), walk(pages, 2, options, 'prompts/list')]);
    expect(pages.asked).toBe(6);
  });

  it('counts bytes, not characters (PEER-07)', async () => {
    const page = { text: '€'.repeat(330), nextCursor: '1' };
    const client = { request: (..._others: unknown[]): Promise<object> => Promise.resolve(page) };
    limitLists(client, URL, LIMIT);
    await expect(client.request({ method: 'tools/list' })).rejects.toMatchObject(TOO_LARGE);
  });

  it('leaves a result without pages alone, however large it is (PEER-07)', async () => {
    const result = { text: 'x'.repeat(5_000) };
    const client = { request: (..._others: unknown[]): Promise<object> => Promise.resolve(result) };
    limitLists(client, URL, LIMIT);
    await expect(client.request({ method: 'tools/call', params: {} })).resolves.toBe(result);
  });
});
