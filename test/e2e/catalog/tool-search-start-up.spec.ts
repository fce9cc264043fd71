import { describe, expect, it } from '@jest/globals';
import { Injectable, Logger, type LoggerService } from '@nestjs/common';
import { McpCatalog, McpModule, Tool, type McpOptions } from 'nestjs-mcp';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { bootApp } from '../../support/applications/boot.js';
import { Office } from '../../support/applications/large-catalog.js';
import { bootServer } from '../../support/applications/server.js';
import { namesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool } from '../../support/clients/tools.js';

const serverInfo = { name: 'desk', version: '1.0.0' };
const serverOf = (search: unknown) =>
  McpModule.forRoot({ serverInfo, catalog: { search } as NonNullable<McpOptions['catalog']> });

@Injectable()
class Searcher {
  @Tool({ name: 'search_tools' })
  search(): string {
    return 'of the application';
  }
}

describe('Tool search at start-up', () => {
  it('refuses a tool of the application that has a name of its own, and says whose it is (XTN-07)', async () => {
    const { message } = await bootFailure({ imports: [serverOf(true)], providers: [Searcher] });
    expect(message).toBe(
      '@Tool() on "Searcher.search": The tool "search_tools" is built into the server: choose a different name, or change "catalog.search"',
    );
  });

  it('takes another name, and leaves that one to the application (XTN-07)', async () => {
    const desk = await bootServer({
      options: { catalog: { search: { name: 'find_tools', pinned: ['search_tools'] } } },
      providers: [Searcher],
    });
    expect(await callTool(desk.url, 'search_tools', {})).toBe('of the application');
    expect(await callTool(desk.url, 'find_tools', { query: 'search' })).toContain('search_tools');
    await desk.close();
  });

  it('refuses a tool of its name that is added later (XTN-07)', async () => {
    const desk = await bootServer({ options: { catalog: { search: true } } });
    const { tools } = desk.app.get(McpCatalog);
    expect(() => tools.add({ name: 'call_tool' }, () => 'mine')).toThrow('is built into the server');
    await desk.close();
  });

  it('warns of a pinned name that no tool has (XTN-07)', async () => {
    const warned: string[] = [];
    const logger: LoggerService = { log: () => 0, error: () => 0, warn: (text: string) => warned.push(text) };
    const app = await bootApp({
      imports: [serverOf({ pinned: ['hours', 'payrol'] })],
      providers: [Office],
      nest: { logger },
    });
    Logger.overrideLogger(false);
    await app.close();
    expect(warned).toEqual([
      '"catalog.search.pinned" names "payrol", but there is no such tool (did you mean "payroll"?)',
    ]);
  });

  it.each<[unknown, string]>([
    ['yes', '"catalog.search" must be an object'],
    [{ name: 'search tools' }, '"catalog.search.name" must be the name of a tool'],
    [{ name: '' }, '"catalog.search.name" must be the name of a tool'],
    [{ name: 'x'.repeat(129) }, '"catalog.search.name" must be the name of a tool'],
    [{ callTool: true }, '"catalog.search.callTool" must be the name of a tool'],
    [
      { callTool: 'search_tools' },
      '"catalog.search.callTool" must differ from "search_tools", which is the name of the search tool',
    ],
    [
      { name: 'call_tool' },
      '"catalog.search.callTool" must differ from "call_tool", which is the name of the search tool',
    ],
    [{ pinned: 'hours' }, '"catalog.search.pinned" must be an array'],
    [{ limit: 0 }, '"catalog.search.limit" must be'],
    [{ limit: 9, maxLimit: 8 }, '"catalog.search.maxLimit" must be at least "limit", which is 9'],
    [{ limits: 9 }, 'did you mean "catalog.search.limit"?'],
  ])('refuses the options %j (XTN-07)', async (search, message) => {
    expect((await bootFailure({ imports: [serverOf(search)] })).message).toContain(message);
  });

  it.each([false, undefined])('lists everything where it is %s (XTN-07)', async (search) => {
    const desk = await bootServer({
      options: { catalog: search === undefined ? {} : { search } },
      providers: [Office],
    });
    const { result } = await perRequest(desk.url).request('tools/list');
    expect(namesOf(result, 'tools')).toContain('payroll');
    expect(namesOf(result, 'tools')).not.toContain('search_tools');
    await desk.close();
  });

  it('is of one server alone where there are several (XTN-07)', async () => {
    const app = await bootApp({
      imports: [
        McpModule.forRoot({ serverInfo }),
        McpModule.forRoot({ serverInfo, server: 'large', mcpPath: '/large', catalog: { search: true } }),
        McpModule.forFeature({ server: 'large', providers: [Office], excludeTags: ['billing'] }),
        McpModule.forFeature({ server: 'default', providers: [Office], includeTags: ['billing'] }),
      ],
      providers: [Office],
    });
    const list = async (path: string) => {
      const { result } = await perRequest(`${app.origin}${path}`).request('tools/list');
      return namesOf(result, 'tools');
    };
    expect(await list('/mcp')).toEqual(['sendInvoice']);
    expect(await list('/large')).toEqual(['search_tools', 'call_tool']);
    const found = await callTool(`${app.origin}/large`, 'search_tools', { query: 'invoice ticket' });
    expect(found).toContain('closeTicket');
    expect(found).not.toContain('sendInvoice');
    await app.close();
  });
});
