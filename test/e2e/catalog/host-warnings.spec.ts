import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, McpModule, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { until } from '../../support/until.js';

const WARNING = 'Some hosts reject every conversation that includes the tool ';

@Injectable()
class Tools {
  @Tool({ inputSchema: z.object({ id: z.string(), list: z.array(z.object({ n: z.number() })) }) })
  fine(): string {
    return 'fine';
  }

  @Tool({ name: 'tickets.find', inputSchema: z.object({ 'filter[state]': z.string() }) })
  named(): string {
    return 'named';
  }

  @Tool({
    inputSchema: { type: 'object', not: { required: ['a', 'b'] }, properties: { ids: { type: 'array' } } },
  })
  rooted(): string {
    return 'rooted';
  }

  @Tool({ inputSchema: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) })
  union(): string {
    return 'union';
  }
}

async function boot(parts: ServerParts = {}) {
  const log = new RecordedLog();
  const desk = await bootServer({ providers: [Tools], nest: { logger: log }, ...parts });
  return { desk, log };
}

describe('What common hosts refuse', () => {
  it('is warned of at start-up: which tool, where, what to do, and who refuses it (CAT-01) (HOST-01)', async () => {
    const { desk, log } = await boot();
    expect(log.find('warn', WARNING)).toEqual([
      expect.stringMatching(
        /"tickets\.find": its name does not consist of 1 to 64 .*: choose a "name" that matches; .* at "properties\.filter\[state\]": rename it; refused by Anthropic/,
      ),
      expect.stringMatching(
        /"rooted": its schema has "not" at the root at "inputSchema": .*; its schema has an array without "items" at "properties\.ids"/,
      ),
    ]);
    await desk.close();
  });

  it('is served all the same (CAT-01)', async () => {
    const { desk } = await boot();
    const { result } = await perRequest(desk.url).request('tools/call', {
      name: 'tickets.find',
      arguments: { 'filter[state]': 'open' },
    });
    expect(result).toMatchObject({ content: [{ text: 'named' }] });
    await desk.close();
  });

  it('is warned of once for a tool that is added while the server runs, or changed (CAT-01)', async () => {
    const { desk, log } = await boot({ providers: [] });
    const { tools } = desk.app.get(McpCatalog);
    tools.add({ name: 'late.tool' }, () => 'late');
    tools.update('late.tool', { description: 'Changed' });
    tools.add({ name: 'fine' }, () => 'fine');
    await until(() => log.find('warn', WARNING).length > 0, 'the warning');
    tools.update('fine', { inputSchema: z.object({ 'a b': z.string() }) });
    await until(() => log.find('warn', `${WARNING}"fine"`).length > 0, 'the warning of the other');
    expect(log.find('warn', WARNING)).toHaveLength(2);
    await desk.close();
  });

  it('is a union at the root only where it is not listed flat (CAT-01)', async () => {
    const { desk, log } = await boot({ options: { catalog: { flattenUnions: false } } });
    expect(log.find('warn', `${WARNING}"union"`)).toEqual([expect.stringContaining('"anyOf" at the root')]);
    await desk.close();
  });

  it('is warned of only for the hosts that are named (HOST-01)', async () => {
    const { desk, log } = await boot({ options: { catalog: { hostWarnings: ['Gemini'] } } });
    expect(log.find('warn', WARNING)).toEqual([
      expect.stringMatching(/"rooted": its schema has an array without "items".*refused by Gemini, OpenAI/),
    ]);
    expect(log.text).not.toContain('"not" at the root');
    await desk.close();
  });

  it('is not warned of where nobody wants to hear of it (CAT-01)', async () => {
    const { desk, log } = await boot({ options: { catalog: { hostWarnings: false } } });
    expect(log.find('warn', WARNING)).toEqual([]);
    await desk.close();
  });

  it.each([
    [{ flatten: true }, 'catalog.flatten'],
    [{ flattenUnions: 'no' }, 'catalog.flattenUnions'],
    [{ hostWarnings: ['Netscape'] }, 'catalog.hostWarnings[0]'],
  ])('has options that are checked: %j (CAT-01)', async (catalog, name) => {
    const module = McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      catalog: catalog as object,
    });
    expect((await bootFailure({ imports: [module] })).message).toContain(name);
  });

  it('has an option of tools that is checked (CAT-01)', async () => {
    const desk = await bootApp({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
    });
    const { tools } = desk.app.get(McpCatalog);
    const flattenUnions = 'no' as unknown as boolean;
    expect(() => tools.add({ name: 'a', flattenUnions }, () => 'a')).toThrow(
      '"flattenUnions" must be true or false',
    );
    await desk.close();
  });
});
