import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpCatalog } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Office, search, searchNames } from '../../support/applications/large-catalog.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf, namesOf } from '../../support/clients/entries.js';
import {
  HANDSHAKE_VERSIONS,
  initialize,
  PER_REQUEST_VERSION,
  perRequest,
} from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { callTool, listedTool } from '../../support/clients/tools.js';
import { assertMessage } from '../../support/schema-check.js';

describe.each(ADAPTERS)('Tool search on %s', (adapter) => {
  let office: RunningApp;
  let plain: RunningApp;

  beforeAll(async () => {
    const cache = { tools: { ttlMs: 60_000, scope: 'public' } } as const;
    const catalog = { search: { pinned: ['hours'], pinnedTags: ['billing'] } };
    office = await bootServer({ adapter, options: { catalog, cache }, providers: [Office] });
    plain = await bootServer({ adapter, providers: [Office] });
  });

  afterAll(async () => {
    await office.close();
    await plain.close();
  });

  const find = (query: string, more?: JsonObject) => searchNames(perRequest(office.url).start, query, more);

  it('lists pinned tools and its own, and nothing else (XTN-07)', async () => {
    const { result } = await perRequest(office.url).request('tools/list');
    expect(namesOf(result, 'tools')).toEqual(['search_tools', 'call_tool', 'hours', 'sendInvoice']);
    // What only tools have that are not listed says nothing of the list.
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
  });

  it('gives definitions as the list of a server without it has them (XTN-07)', async () => {
    const { tools } = await search(perRequest(office.url).start, 'close a ticket');
    const [found] = tools as JsonObject[];
    expect(found).toEqual(await listedTool(plain.url, 'closeTicket'));
  });

  it.each([
    ['the words of a name', 'close ticket', 'closeTicket'],
    ['a name as it is', 'open_ticket', 'open_ticket'],
    ['words of a description', 'who tells the reporter', 'closeTicket'],
    ['a tag, as a synonym', 'resolve', 'closeTicket'],
    ['another form of a word', 'invoices', 'sendInvoice'],
    ['a misspelt word', 'invocie', 'sendInvoice'],
    ['the beginning of a word', 'shre', 'shredAll'],
    ['a parameter', 'ticketId', 'closeTicket'],
    ['the description of a parameter', 'where the customer gets it', 'sendInvoice'],
    ['letters without their accents', 'uberweist lohne', 'payroll'],
    ['letters in another case', 'ÜBERWEIST', 'payroll'],
    ['a language without spaces', '天気', 'weather'],
  ])('finds a tool by %s (XTN-07)', async (_, query, name) => {
    expect((await find(query))[0]).toBe(name);
  });

  it.each(['zeppelin', '!!! ???', '的'])(
    'finds nothing for %j, which no tool has (XTN-07)',
    async (query) => {
      expect(await search(perRequest(office.url).start, query)).toEqual({ tools: [] });
    },
  );

  it('gives the same in the same order each time, page by page (XTN-07)', async () => {
    const { start } = perRequest(office.url);
    const all = await find('the customer office ticket records', { limit: 25 });
    expect(all.length).toBeGreaterThan(4);
    const pages: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await search(start, 'the customer office ticket records', {
        limit: 2,
        ...(cursor !== undefined && { cursor }),
      });
      expect(entriesOf(page, 'tools').length).toBeLessThanOrEqual(2);
      pages.push(...namesOf(page, 'tools'));
      cursor = page['nextCursor'];
    } while (cursor !== undefined);
    expect(pages).toEqual(all);
    expect(new Set(pages).size).toBe(pages.length);
  });

  it.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: 7 }, 'query'],
    [{ query: 'x'.repeat(1001) }, 'query'],
    [{ query: 'ticket', limit: 0 }, 'limit'],
    [{ query: 'ticket', limit: 26 }, 'limit'],
    [{ query: 'ticket', limit: 1.5 }, 'limit'],
    [{ query: 'ticket', cursor: 'bm9uZQ' }, 'cursor'],
    [{ query: 'ticket', cursor: 'x'.repeat(101) }, 'cursor'],
    [{ query: 'ticket', more: true }, 'more'],
  ])('refuses %j, and says what is wrong (XTN-07)', async (given, named) => {
    const text = await callTool(office.url, 'search_tools', given);
    expect(text).toMatch(/^error: /);
    expect(text).toContain(named);
  });

  it('leaves tools that are not listed callable by name (XTN-07)', async () => {
    expect(await callTool(office.url, 'closeTicket', { ticketId: 7 })).toBe('Ticket 7 is closed');
    expect(await callTool(office.url, 'closeTicket', { ticketId: 'seven' })).toMatch(/^error: .*ticketId/);
  });

  it('calls what was found for hosts whose models call listed tools alone (XTN-07)', async () => {
    const call = (name: string, given?: object) =>
      callTool(office.url, 'call_tool', { name, ...(given && { arguments: given }) });
    expect(await call('closeTicket', { ticketId: 7 })).toBe('Ticket 7 is closed');
    expect(await call('payroll')).toBe('bezahlt');
    expect(await call('closeTicket', { ticketId: 'seven' })).toMatch(/^error: .*ticketId/);
    expect(await call('sendInvoice')).toBe('error: Call "sendInvoice" directly: it is in the tool list');
    expect(await call('call_tool', { name: 'payroll' })).toContain('directly');
    expect(await call('nobody')).toBe(await callTool(office.url, 'nobody', {}));
    expect(await callTool(office.url, 'call_tool', { name: 7 })).toMatch(/^error: .*name/);
    expect(await callTool(office.url, 'call_tool', { name: 'payroll', arguments: [] })).toMatch(
      /^error|invalid/i,
    );
  });

  it.each(HANDSHAKE_VERSIONS)(
    'shows sessions of %s what their lists would have (XTN-07)',
    async (version) => {
      const [session, other] = [
        await initialize(office.url, { version }),
        await initialize(plain.url, { version }),
      ];
      const { result } = await other.request('tools/list');
      const found = await search((method, params) => session.start(method, params), 'overwiese ticket close');
      const expected = entriesOf(result, 'tools').find(({ name }) => name === 'closeTicket');
      expect(entriesOf(found, 'tools')[0]).toEqual(expected);
    },
  );

  it('answers as the published schema has it (XTN-07)', async () => {
    const { start } = perRequest(office.url);
    const params = { name: 'search_tools', arguments: { query: 'ticket' } };
    const { response } = await start('tools/call', params).answer();
    expect(() =>
      assertMessage(response!, { version: PER_REQUEST_VERSION, method: 'tools/call' }),
    ).not.toThrow();
  });

  it('serves the official client, which checks the structured content (XTN-07)', async () => {
    const client = new Client({ name: 'e2e', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(office.url)));
    await client.listTools();
    const found = await client.callTool({ name: 'search_tools', arguments: { query: 'close ticket' } });
    expect(found.structuredContent).toMatchObject({ tools: [{ name: 'closeTicket' }, {}] });
    const called = await client.callTool({ name: 'closeTicket', arguments: { ticketId: 7 } });
    expect(called.content).toEqual([{ type: 'text', text: 'Ticket 7 is closed' }]);
    await client.close();
  });

  describe('in a catalog that changes', () => {
    const added = ['juggle', 'tightrope'];

    afterEach(() => {
      for (const name of added) office.app.get(McpCatalog).tools.remove(name);
    });

    it('finds what is there, as it is now (XTN-07)', async () => {
      const { tools } = office.app.get(McpCatalog);
      expect(await find('circus')).toEqual([]);
      tools.add({ name: 'juggle', description: 'A number of the circus' }, () => 'juggled');
      tools.add({ name: 'tightrope', description: 'Another number of the circus' }, () => 'walked');
      expect(await find('circus')).toEqual(['juggle', 'tightrope']);
      tools.update('juggle', { description: 'Throws torches' });
      expect(await find('circus')).toEqual(['tightrope']);
      expect(await find('torches')).toEqual(['juggle']);
      tools.remove('juggle');
      expect(await find('torches')).toEqual([]);
      expect(await callTool(office.url, 'tightrope', {})).toBe('walked');
    });

    it('pins what is added with a name or a tag that is pinned (XTN-07)', async () => {
      office.app.get(McpCatalog).tools.add({ name: 'juggle', tags: ['billing'] }, () => 'juggled');
      const { result } = await perRequest(office.url).request('tools/list');
      expect(namesOf(result, 'tools')).toContain('juggle');
    });
  });
});

describe('Tool search', () => {
  it('has names, numbers and a way to call that are options (XTN-07)', async () => {
    const catalog = { search: { name: 'find', callTool: false, limit: 1, maxLimit: 2 } } as const;
    const office = await bootServer({ options: { catalog }, providers: [Office] });
    const { result } = await perRequest(office.url).request('tools/list');
    expect(namesOf(result, 'tools')).toEqual(['find']);
    const found = await perRequest(office.url).request('tools/call', {
      name: 'find',
      arguments: { query: 'ticket' },
    });
    expect(entriesOf(found.result?.['structuredContent'] as JsonObject, 'tools')).toHaveLength(1);
    expect(await callTool(office.url, 'find', { query: 'ticket', limit: 3 })).toMatch(/^error: .*limit/);
    expect((await perRequest(office.url).request('tools/call', { name: 'call_tool' })).error?.code).toBe(
      -32602,
    );
    await office.close();
  });

  it('keeps apps from what only models are to call, without declaring apps (XTN-07)', async () => {
    const office = await bootServer({ options: { catalog: { search: true } }, providers: [Office] });
    const { result } = await perRequest(office.url).request('tools/list');
    expect(entriesOf(result ?? {}, 'tools')).toMatchObject([
      { name: 'search_tools', _meta: { ui: { visibility: ['model'] } } },
      { name: 'call_tool', _meta: { ui: { visibility: ['model'] } } },
    ]);
    const discovered = await perRequest(office.url).request('server/discover');
    expect(JSON.stringify(discovered.result)).not.toContain('io.modelcontextprotocol/ui');
    await office.close();
  });

  it('leaves out what only apps are to call (XTN-07)', async () => {
    const office = await bootServer({ options: { catalog: { search: true } } });
    const { tools } = office.app.get(McpCatalog);
    const { resources } = office.app.get(McpCatalog);
    resources.add({ uri: 'ui://office/board', name: 'board' }, () => '<!doctype html><p>Board</p>');
    const ui = { resource: 'ui://office/board', visibility: ['app'] } as const;
    tools.add({ name: 'move', description: 'board', ui }, () => 'moved');
    tools.add({ name: 'forApps', description: 'board', _meta: { ui: { visibility: ['app'] } } }, () => 'a');
    tools.add(
      { name: 'forBoth', description: 'board', _meta: { ui: { visibility: ['app', 'model'] } } },
      () => 'b',
    );
    expect(await searchNames(perRequest(office.url).start, 'board')).toEqual(['forBoth']);
    expect(await callTool(office.url, 'call_tool', { name: 'forApps' })).toBe(
      await callTool(office.url, 'nobody', {}).then((text) => text.replace('nobody', 'forApps')),
    );
    expect(await callTool(office.url, 'forApps', {})).toContain('unknown tool "forApps"');
    await office.close();
  });
});
