import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool, listedTool } from '../../support/clients/tools.js';
import { bootShop } from './shop.app.js';

describe.each(ADAPTERS)('Routes as tools on %s', (adapter) => {
  let shop: RunningApp;

  beforeAll(async () => {
    shop = await bootShop(adapter);
  });

  afterAll(() => shop.close());

  it('makes tools of GET routes, and of the routes that are named (ROUTE-01)', async () => {
    const { result } = await perRequest(shop.url).request('tools/list');
    const names = entriesOf(result, 'tools').map(({ name }) => String(name).replace('article_', ''));
    expect(names.toSorted().join(' ')).toBe(
      'addTags batch broken change create find list me nothing ofColor order price remove replace staff teapot wrapped',
    );
  });

  it('describes a tool with swagger texts, and hints by verb (ROUTE-01)', async () => {
    expect(await listedTool(shop.url, 'article_list')).toMatchObject({
      title: 'List articles',
      description: 'List articles\n\nLists a page of the articles in stock.',
      annotations: { readOnlyHint: true },
      inputSchema: {
        properties: {
          page: { type: 'integer', minimum: 1, default: 1, description: 'The number of the page' },
          words: { type: 'string', maxLength: 10 },
        },
        additionalProperties: false,
      },
    });
    expect(await listedTool(shop.url, 'article_replace')).toMatchObject({
      annotations: { readOnlyHint: false, idempotentHint: true },
    });
    expect(await listedTool(shop.url, 'article_remove')).toMatchObject({
      annotations: { destructiveHint: true },
    });
    expect(await listedTool(shop.url, 'article_change')).toMatchObject({
      description: 'Change the price of an article',
      annotations: { readOnlyHint: false },
    });
  });

  it('describes arguments from DTOs (ROUTE-01)', async () => {
    expect(await listedTool(shop.url, 'article_create')).toMatchObject({
      inputSchema: {
        properties: {
          name: { type: 'string', maxLength: 20, description: 'The name, as customers read it' },
          color: { enum: ['red', 'green'] },
          size: { properties: { width: { type: 'integer', minimum: 1 } } },
        },
        required: ['name', 'price'],
      },
    });
  });

  it('describes arguments from pipes (ROUTE-01)', async () => {
    expect(await listedTool(shop.url, 'article_ofColor')).toMatchObject({
      inputSchema: {
        properties: {
          color: { enum: ['red', 'green'], description: 'The color' },
          limit: { type: 'integer', default: 10 },
          cheap: { type: 'boolean' },
          ids: { type: 'array', items: { type: 'number' } },
        },
        required: ['color'],
      },
    });
    expect(await listedTool(shop.url, 'article_batch')).toMatchObject({
      inputSchema: { properties: { batch: { type: 'string', format: 'uuid' } } },
    });
  });

  it('makes one argument of a body whose properties have names of other arguments (ROUTE-01)', async () => {
    const { inputSchema } = await listedTool(shop.url, 'article_change');
    expect(inputSchema).toMatchObject({ properties: { id: {}, body: { type: 'object' } }, required: ['id'] });
    expect(await callTool(shop.url, 'article_change', { id: 3, body: { id: 9, price: 4 } })).toBe(
      '{"id":3,"price":4,"given":9}',
    );
  });

  it('makes arguments of listed headers alone (ROUTE-01)', async () => {
    const { inputSchema } = await listedTool(shop.url, 'article_price');
    expect(Object.keys((inputSchema as { properties: object }).properties)).toEqual(['amount', 'x-currency']);
    expect(await callTool(shop.url, 'article_price', { amount: 3, 'x-currency': 'USD' })).toBe(
      '3 USD for nobody',
    );
  });

  it('gives routes the headers of the caller, except those that are arguments (ROUTE-02)', async () => {
    const headers = { 'x-currency': 'GBP', 'x-tenant': 'acme' };
    const given = { name: 'article_price', arguments: { amount: 3 } };
    const { result } = await perRequest(shop.url, { headers }).request('tools/call', given);
    expect(entriesOf(result, 'content')).toEqual([{ type: 'text', text: '3 EUR for acme' }]);
  });

  it('gives routes the user and the address of the caller (ROUTE-02)', async () => {
    const headers = { authorization: 'Bearer ada' };
    const { result } = await perRequest(shop.url, { headers }).request('tools/call', { name: 'article_me' });
    expect(result?.['structuredContent']).toEqual({ name: 'ada', ip: '127.0.0.1' });
  });

  it.each(['hidden', 'me', 'staff'])('reaches no other route with the value "%s" (ROUTE-01)', async (id) => {
    expect(await callTool(shop.url, 'article_find', { id })).toBe(`error: Cannot GET /api/articles/${id}`);
  });

  it.each(['../admin', '..', '.', '%2e%2e/x', 'a/b', 'a?b#c', '\\'])(
    'passes "%s" as one segment of the path (ROUTE-02)',
    async (article) => {
      const text = await callTool(shop.url, 'order', { article, email: 'ada@example.com' });
      expect(JSON.parse(text)).toEqual({ article, gift: null, buyer: { email: 'ada@example.com' } });
    },
  );

  it.each([
    [{ id: '' }, 'id: must be a non-empty string, a number or a boolean'],
    [{ id: { a: 1 } }, 'id: must be a non-empty string, a number or a boolean'],
    [{ id: '\ud800' }, 'id: must be a non-empty string, a number or a boolean'],
    [{}, 'id: is required but missing'],
    [{ id: 1, others: 1 }, 'others: is not a known name'],
    [JSON.parse('{"id":1,"__proto__":{"a":1}}'), '__proto__: is not a known name'],
  ])('refuses %j, which no request can carry (ROUTE-02)', async (given, text) => {
    expect(await callTool(shop.url, 'article_find', given)).toContain(`error: ${text}`);
  });

  it.each(['USD\r\nx-admin: 1', 'USD\nx', '\u20ac', { a: 1 }])(
    'refuses the header %j (ROUTE-02)',
    async (value) => {
      const text = await callTool(shop.url, 'article_price', { amount: 1, 'x-currency': value });
      expect(text).toContain('error: x-currency: must be a single-line string');
    },
  );

  it('refuses bodies that the route refuses because of their size (ROUTE-02)', async () => {
    const given = { id: '1', body: Array.from({ length: 3 }, () => 'x'.repeat(500_000)) };
    expect(await callTool(shop.url, 'article_addTags', given)).toMatch(
      /^error: (?:request entity|Request body) is too large|^error: request entity too large/i,
    );
  });
});
