import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpCatalog } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { namesOf } from '../../support/clients/entries.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const LISTS: [method: string, member: string][] = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
];

type Page = { names: unknown[]; nextCursor: unknown };

describe.each(ADAPTERS)('pagination on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;
  let catalog: McpCatalog;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { pageSize: 2 } });
    catalog = desk.app.get(McpCatalog);
    session = await initialize(desk.url);
  });

  beforeEach(() => {
    const { tools, resources, resourceTemplates, prompts } = catalog;
    for (const area of [tools, resources, resourceTemplates, prompts]) {
      for (const entry of area.list()) area.remove(findKey(entry as unknown as JsonObject));
    }
    for (const name of ['e', 'd', 'c', 'b', 'a']) add(name);
  });

  afterAll(() => desk.close());

  function add(name: string): void {
    catalog.tools.add({ name }, () => name);
    catalog.resources.add({ name, uri: `desk://${name}` }, () => name);
    catalog.resourceTemplates.add({ name, uriTemplate: `desk://${name}/{id}` }, () => name);
    catalog.prompts.add({ name }, () => name);
  }

  function remove(name: string): void {
    catalog.tools.remove(name);
    catalog.resources.remove(`desk://${name}`);
    catalog.resourceTemplates.remove(`desk://${name}/{id}`);
    catalog.prompts.remove(name);
  }

  async function page(method: string, member: string, cursor?: unknown): Promise<Page> {
    const { result } = await session.request(method, cursor === undefined ? undefined : { cursor });
    const names = namesOf(result, member);
    return { names, nextCursor: result?.['nextCursor'] };
  }

  it.each(LISTS)('gives %s page by page, each entry once and in order (CORE-04)', async (method, member) => {
    const first = await page(method, member);
    const second = await page(method, member, first.nextCursor);
    const third = await page(method, member, second.nextCursor);
    expect([first.names, second.names, third.names]).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
    expect([typeof first.nextCursor, typeof second.nextCursor]).toEqual(['string', 'string']);
    expect(third.nextCursor).toBeUndefined();
  });

  it.each(LISTS)('ends %s without a cursor where the last page is full (CORE-04)', async (method, member) => {
    remove('a');
    const first = await page(method, member);
    const second = await page(method, member, first.nextCursor);
    expect([second.names, second.nextCursor]).toEqual([['c', 'b'], undefined]);
  });

  it.each(LISTS)('keeps the place in %s when entries come and go (CORE-04)', async (method, member) => {
    const first = await page(method, member);
    remove('e');
    remove('c');
    add('f');
    const second = await page(method, member, first.nextCursor);
    const third = await page(method, member, second.nextCursor);
    expect([second.names, third.names]).toEqual([['b', 'a'], ['f']]);
  });

  it.each(LISTS)('gives the same page of %s for the same cursor (CORE-04)', async (method, member) => {
    const { nextCursor } = await page(method, member);
    const pages = [await page(method, member, nextCursor), await page(method, member, nextCursor)];
    expect(pages[0]).toEqual(pages[1]);
  });

  it.each(LISTS)('lets a cursor of %s be used on the stateless wire (CORE-04)', async (method, member) => {
    const { nextCursor: cursor } = await page(method, member);
    const { result } = await perRequest(desk.url).request(method, { cursor });
    expect(namesOf(result, member)).toEqual(['c', 'b']);
  });

  it.each(LISTS)('answers a bad cursor of %s with -32602 (CORE-04)', async (method) => {
    for (const cursor of ['not-a-cursor', '-1', '99999', 7, null, {}, 'A'.repeat(10_000)]) {
      const answer = await session.request(method, { cursor });
      expect([answer.status, answer.error?.code]).toEqual([200, -32602]);
    }
  });

  it('answers a cursor of another list with -32602 (CORE-04)', async () => {
    const { nextCursor: cursor } = await page('tools/list', 'tools');
    expect((await session.request('prompts/list', { cursor })).error?.code).toBe(-32602);
  });
});

function findKey(entry: JsonObject): string {
  return String(entry['uri'] ?? entry['uriTemplate'] ?? entry['name']);
}
