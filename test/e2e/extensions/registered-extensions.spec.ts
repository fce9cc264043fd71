import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  ExtensionError,
  McpExtensions,
  McpNotifier,
  Tool,
  type ExtensionHandle,
  type McpContext,
  type McpExtension,
} from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const ID = 'com.example/reports';
const DECLARED = { extensions: { [ID]: {} } };

@Injectable()
class Reports implements OnModuleInit {
  readonly heard: unknown[] = [];
  handle: ExtensionHandle | undefined;

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.handle = this.extensions.register(this.#describe());
  }

  @Tool()
  weekly(): string {
    return 'week 47';
  }

  #describe(): McpExtension {
    return {
      id: ID,
      specVersion: '2026-07-28',
      stability: 'experimental',
      config: { formats: ['csv'] },
      methods: [
        { method: 'reports/list', handle: (context: McpContext) => ({ reports: [context.method] }) },
        { method: 'reports/about', requiresDeclaration: false, handle: () => ({ about: 'reports' }) },
        { method: 'reports/live', revisions: ['handshake'], handle: () => ({ live: true }) },
      ],
      notifications: [{ method: 'notifications/reports/read', handle: (params) => this.heard.push(params) }],
      interceptToolCall: async ({ tool, context }, next) => {
        const result = await next();
        return context.hasExtension(ID) ? { ...result, _meta: { [`${ID}.tool`]: tool.name } } : result;
      },
    };
  }
}

function bootReports(adapter: AdapterName): Promise<RunningApp> {
  return bootServer({ adapter, providers: [Reports] });
}

describe.each(ADAPTERS)('An extension that the application registers, on %s', (adapter) => {
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootReports(adapter);
  });

  afterAll(() => server.close());

  /** Has one message sent that every session gets, and gives the methods of what came before it. */
  async function methodsUntilListChanged(stream: EventStream): Promise<unknown[]> {
    server.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    return stream.messages.map(({ method }) => method).slice(0, -1);
  }

  it('is declared with its version, stability and configuration (EXT-01)', async () => {
    const declaration = {
      [ID]: { specVersion: '2026-07-28', stability: 'experimental', config: { formats: ['csv'] } },
    };
    const session = await initialize(server.url);
    const discovered = await perRequest(server.url).request('server/discover');
    expect(session.result).toMatchObject({ capabilities: { extensions: declaration } });
    expect(discovered.result).toMatchObject({ capabilities: { extensions: declaration } });
  });

  it('answers its methods to a session that declared it (EXT-03) (CAP-03)', async () => {
    const session = await initialize(server.url, { capabilities: DECLARED });
    expect((await session.request('reports/list')).result).toEqual({ reports: ['reports/list'] });
  });

  it('has no methods for a session that did not declare it (EXT-03)', async () => {
    const session = await initialize(server.url);
    expect((await session.request('reports/list')).error).toMatchObject({ code: -32601 });
    expect((await session.request('reports/about')).result).toEqual({ about: 'reports' });
  });

  it('answers its methods to a request that names it, and tells another what is missing (EXT-03) (CAP-03)', async () => {
    const client = perRequest(server.url);
    const named = await client.request('reports/list', {}, { capabilities: DECLARED });
    const unnamed = await client.request('reports/list');
    expect(named.result).toMatchObject({ resultType: 'complete', reports: ['reports/list'] });
    expect(unnamed).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [ID]: {} } } } },
    });
  });

  it('has a method only in the kinds of revision it names (EXT-03)', async () => {
    const session = await initialize(server.url, { capabilities: DECLARED });
    const stateless = await perRequest(server.url).request('reports/live', {}, { capabilities: DECLARED });
    expect((await session.request('reports/live')).result).toEqual({ live: true });
    expect(stateless).toMatchObject({ status: 404, error: { code: -32601 } });
  });

  it('hears its notifications from sessions that declared it alone (EXT-03) (NOTE-07)', async () => {
    const [member, stranger] = await Promise.all([
      initialize(server.url, { capabilities: DECLARED }),
      initialize(server.url),
    ]);
    await stranger.notify('notifications/reports/read', { by: 'stranger' });
    await member.notify('notifications/reports/read', { by: 'member' });
    expect(server.app.get(Reports).heard).toEqual([{ by: 'member' }]);
  });

  it('sends its notifications to sessions that declared it alone (EXT-03)', async () => {
    const member = await initialize(server.url, { capabilities: DECLARED });
    const stranger = await initialize(server.url);
    const streams = await Promise.all([member.openStream(), stranger.openStream()]);
    server.app.get(Reports).handle?.notify('notifications/reports/ready', { week: 47 });
    const [heard] = streams;
    expect(await heard.nextNotification('notifications/reports/ready')).toMatchObject({
      params: { week: 47 },
    });
    expect(await methodsUntilListChanged(streams[1])).toEqual([]);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('is not kept from the others by a session whose extensions are null (EXT-03) (SESS-04) (NOTE-02)', async () => {
    const before = await initialize(server.url, { capabilities: DECLARED });
    const faulty = await initialize(server.url, { capabilities: { extensions: null } });
    const after = await initialize(server.url, { capabilities: DECLARED });
    const streams = await Promise.all([before.openStream(), faulty.openStream(), after.openStream()]);
    server.app.get(Reports).handle?.notify('notifications/reports/ready', { week: 48 });
    await streams[0].nextNotification('notifications/reports/ready');
    await streams[2].nextNotification('notifications/reports/ready');
    expect((await faulty.notify('notifications/reports/read')).status).toBe(202);
    expect((await faulty.request('reports/list')).error?.code).toBe(-32601);
    expect(await methodsUntilListChanged(streams[1])).toEqual([]);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('stands around tool calls (EXT-03)', async () => {
    const client = perRequest(server.url);
    const called = await client.request('tools/call', { name: 'weekly' }, { capabilities: DECLARED });
    const plain = await client.request('tools/call', { name: 'weekly' });
    expect(called.result).toMatchObject({ _meta: { [`${ID}.tool`]: 'weekly' } });
    expect(plain.result?.['_meta']).not.toHaveProperty([`${ID}.tool`]);
  });

  it.each([
    ['an id without a prefix', { id: 'reports' }, 'must have an id such as'],
    ['a scope that is none', { id: 'com.example/other', scopes: ['a b'] }, 'must have "scopes" such as'],
    ['an id that is taken', { id: ID }, 'is already registered'],
    [
      "the server's own method",
      { id: 'com.example/other', methods: [{ method: 'tools/call', handle: () => ({}) }] },
      'this name is already in use',
    ],
    [
      'a notification that another hears',
      {
        id: 'com.example/other',
        notifications: [{ method: 'notifications/reports/read', handle: () => undefined }],
      },
      'this name is already in use',
    ],
  ])('cannot be registered with %s (EXT-03) (MOD-11)', (_case, changes, text) => {
    const extension: McpExtension = { specVersion: '1', stability: 'stable', ...changes };
    const register = () => server.app.get(McpExtensions).register(extension);
    expect(register).toThrow(ExtensionError);
    expect(register).toThrow(text);
  });
});
