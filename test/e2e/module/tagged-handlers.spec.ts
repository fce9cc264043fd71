import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type DynamicModule } from '@nestjs/common';
import { Complete, McpCatalog, McpModule, Prompt, Resource, ResourceTemplate, Tool } from 'nestjs-mcp';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { ADAPTERS, bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf, namesOf } from '../../support/clients/entries.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class Desk {
  @Tool({ tags: ['tickets'] })
  close(): string {
    return 'closed';
  }

  @Tool({ tags: ['tickets', 'admin'] })
  purge(): string {
    return 'purged';
  }

  @Tool()
  hours(): string {
    return '9 to 18';
  }

  @Resource({ uri: 'desk://log', tags: ['admin'] })
  log(): string {
    return 'log';
  }

  @ResourceTemplate({ uriTemplate: 'audit://{id}', tags: ['admin'] })
  audit(): string {
    return 'audit';
  }

  @Complete({ resourceTemplate: 'audit://{id}', argument: 'id' })
  ids(): string[] {
    return ['7'];
  }

  @Prompt({ tags: ['admin'], arguments: [{ name: 'who' }] })
  dismiss(): string {
    return 'Dismiss';
  }

  @Complete({ prompt: 'dismiss', argument: 'who' })
  names(): string[] {
    return ['ada'];
  }
}

@Injectable()
class Shop {
  @Tool({ tags: ['admin'] })
  restock(): string {
    return 'restocked';
  }

  @Tool()
  buy(): string {
    return 'bought';
  }
}

const TWO_SERVERS: readonly DynamicModule[] = [
  McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
  McpModule.forRoot({
    server: 'admin',
    mcpPath: '/admin/mcp',
    serverInfo: { name: 'admin', version: '1.0.0' },
  }),
];

function bootBoth(adapter: AdapterName, ...assignments: DynamicModule[]): Promise<RunningApp> {
  return bootApp({ adapter, imports: [...TWO_SERVERS, ...assignments], providers: [Desk, Shop] });
}

async function listBoth({ origin }: RunningApp): Promise<{ desk: unknown[]; admin: unknown[] }> {
  const [desk, admin] = await Promise.all(
    ['/mcp', '/admin/mcp'].map(async (path) => {
      const { result } = await perRequest(`${origin}${path}`).request('tools/list');
      return namesOf(result, 'tools');
    }),
  );
  return { desk: desk ?? [], admin: admin ?? [] };
}

describe.each(ADAPTERS)('Tags of handlers on %s', (adapter) => {
  describe('of which one server takes some', () => {
    let app: RunningApp;

    beforeAll(async () => {
      app = await bootBoth(adapter, McpModule.forFeature({ server: 'admin', includeTags: ['admin'] }));
    });

    afterAll(() => app.close());

    it('bring the tools to that server, and leave the rest to the default one (XTN-07)', async () => {
      expect(await listBoth(app)).toEqual({ desk: ['close', 'hours', 'buy'], admin: ['purge', 'restock'] });
    });

    it.each([
      ['resources/list', 'resources', 'log'],
      ['resources/templates/list', 'resourceTemplates', 'audit'],
      ['prompts/list', 'prompts', 'dismiss'],
    ])('bring entries of %s there too (XTN-07)', async (method, list, name) => {
      const { result } = await perRequest(`${app.origin}/admin/mcp`).request(method);
      expect(namesOf(result, list)).toEqual([name]);
      const other = await perRequest(app.url).request(method);
      expect(namesOf(other.result, list)).toEqual([]);
    });

    it.each([
      [{ type: 'ref/prompt', name: 'dismiss' }, 'who', 'ada'],
      [{ type: 'ref/resource', uri: 'audit://{id}' }, 'id', '7'],
    ])('take along what completes %j (XTN-07)', async (ref, name, value) => {
      const params = { ref, argument: { name, value: '' } };
      const { result } = await perRequest(`${app.origin}/admin/mcp`).request('completion/complete', params);
      expect(result).toMatchObject({ completion: { values: [value] } });
      const other = await perRequest(app.url).request('completion/complete', params);
      expect(JSON.stringify(other.response)).not.toContain(value);
    });

    it('keep a tool from being called at the other server (XTN-07)', async () => {
      const call = { name: 'purge' };
      expect((await perRequest(app.url).request('tools/call', call)).error?.code).toBe(-32602);
      const { result } = await perRequest(`${app.origin}/admin/mcp`).request('tools/call', call);
      expect(result).toMatchObject({ content: [{ text: 'purged' }] });
    });
  });

  it.each<[string, DynamicModule[], { desk: string[]; admin: string[] }]>([
    [
      'leave handlers out of the default server, which go nowhere then',
      [McpModule.forFeature({ server: 'default', excludeTags: ['admin'] })],
      { desk: ['close', 'hours', 'buy'], admin: [] },
    ],
    [
      'share one class among servers',
      [
        McpModule.forFeature({ server: 'admin', providers: [Desk], includeTags: ['tickets'] }),
        McpModule.forFeature({ server: 'default', providers: [Desk], excludeTags: ['admin'] }),
      ],
      { desk: ['close', 'hours', 'restock', 'buy'], admin: ['close', 'purge'] },
    ],
    [
      'of a class that is named count before those of all classes',
      [
        McpModule.forFeature({ server: 'admin', includeTags: ['admin'] }),
        McpModule.forFeature({ server: 'default', providers: [Shop] }),
      ],
      { desk: ['close', 'hours', 'restock', 'buy'], admin: ['purge'] },
    ],
    [
      'can be asked for and refused together',
      [McpModule.forFeature({ server: 'admin', includeTags: ['tickets'], excludeTags: ['admin'] })],
      { desk: ['purge', 'hours', 'restock', 'buy'], admin: ['close'] },
    ],
  ])('%s (XTN-07)', async (_, assignments, expected) => {
    const app = await bootBoth(adapter, ...assignments);
    expect(await listBoth(app)).toEqual(expected);
    await app.close();
  });
});

describe('Tags of handlers', () => {
  it.each([
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
    ['prompts/list', 'prompts'],
  ])('are shown by %s where definitions have metadata, and nowhere else (XTN-07)', async (method, list) => {
    const app = await bootServer({ providers: [Desk] });
    const tagsOf = (result: Parameters<typeof entriesOf>[0]): unknown[] =>
      entriesOf(result, list).map(({ _meta }) => Object(_meta)['io.nestjs-mcp/tags']);
    const { result } = await perRequest(app.url).request(method);
    expect(tagsOf(result)).toContainEqual(expect.arrayContaining(['admin']));
    const old = await initialize(app.url, { version: '2025-03-26' });
    const { result: ofOld } = await old.request(method);
    expect(entriesOf(ofOld, list).every(({ _meta }) => _meta === undefined)).toBe(true);
    await app.close();
  });

  it('stand beside other metadata, and can be changed while the server runs (XTN-07)', async () => {
    const app = await bootServer();
    const { tools } = app.app.get(McpCatalog);
    const _meta = { 'com.example/team': 'desk' };
    tools.add({ name: 'now', tags: ['time', 'time'], _meta }, () => 'now');
    expect(tools.find('now')?._meta).toEqual({ ..._meta, 'io.nestjs-mcp/tags': ['time'] });
    tools.update('now', { tags: [] });
    expect(tools.find('now')?._meta).toEqual(_meta);
    await app.close();
  });

  it.each([
    [{ tags: 'admin' }, 'tags" must be an array'],
    [{ tags: [''] }, 'tags[0]" must'],
    [{ tags: ['x'.repeat(101)] }, 'tags[0]" must have at most 100 characters'],
    [{ tag: ['admin'] }, 'did you mean "tags"?'],
  ])('are refused at start-up where they are none: %j (XTN-07)', async (options, message) => {
    class Wrong {
      @Tool(options as object)
      wrong(): string {
        return 'wrong';
      }
    }
    const server = McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } });
    const { message: said } = await bootFailure({ imports: [server], providers: [Wrong] });
    expect(said).toContain(message);
  });

  it.each([
    [
      { server: 'admin' },
      '"forFeature.providers" is required: set it to a value such as [AdminTools], or set "includeTags"',
    ],
    [{ server: 'admin', includeTags: [] }, '"forFeature.includeTags" must not be empty'],
    [{ server: 'admin', excludeTags: 'admin' }, '"forFeature.excludeTags" must be an array'],
    [{ server: 'admin', includeTag: ['admin'] }, 'did you mean "forFeature.includeTags"?'],
  ])('are refused in an assignment that says nothing: %j (XTN-07)', (assignment, message) => {
    expect(() => McpModule.forFeature(assignment as never)).toThrow(message);
  });
});
