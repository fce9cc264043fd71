import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import {
  InjectCatalog,
  InjectNotifier,
  McpCatalog,
  McpModule,
  McpNotifier,
  Resource,
  Tool,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { entriesOf, namesOf } from '../../support/clients/entries.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

@Injectable()
class DeskHandlers {
  @Tool({ description: 'Searches' })
  search(): string {
    return 'of the desk';
  }

  @Resource({ uri: 'shared://rules' })
  rules(): string {
    return 'rules of the desk';
  }
}

@Injectable()
class AdminHandlers {
  @Tool({ description: 'Purges' })
  purge(): string {
    return 'of the admin';
  }

  @Tool({ description: 'Has a name of its own here' })
  search(): string {
    return 'of the admin';
  }

  @Resource({ uri: 'shared://rules' })
  rules(): string {
    return 'rules of the admin';
  }
}

@Injectable()
class Switchboard {
  constructor(
    readonly desk: McpNotifier,
    readonly deskCatalog: McpCatalog,
    @InjectNotifier('admin') readonly admin: McpNotifier,
    @InjectCatalog('admin') readonly adminCatalog: McpCatalog,
    @InjectNotifier() readonly deskByName: McpNotifier,
    @InjectCatalog() readonly deskCatalogByName: McpCatalog,
  ) {}
}

@Module({
  imports: [McpModule.forFeature({ server: 'admin', providers: [AdminHandlers] })],
  providers: [AdminHandlers],
})
class AdminModule {}

describe.each(ADAPTERS)('two servers in one application on %s', (adapter) => {
  let app: RunningApp;
  let deskUrl: string;
  let adminUrl: string;
  let switchboard: Switchboard;

  beforeAll(async () => {
    app = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
        McpModule.forRoot({
          server: 'admin',
          serverInfo: { name: 'admin', version: '2.0.0' },
          mcpPath: '/admin/mcp',
          pageSize: 1,
        }),
        AdminModule,
      ],
      providers: [DeskHandlers, Switchboard],
    });
    [deskUrl, adminUrl] = [`${app.origin}/mcp`, `${app.origin}/admin/mcp`];
    switchboard = app.app.get(Switchboard);
  });

  afterAll(() => app.close());

  async function tools(url: string): Promise<unknown[]> {
    const { result } = await perRequest(url).request('tools/list');
    return namesOf(result, 'tools');
  }

  it('each have a path and an identity of their own (MOD-05)', async () => {
    const sessions = [await initialize(deskUrl), await initialize(adminUrl)];
    expect(sessions.map(({ result }) => (result['serverInfo'] as JsonObject)['name'])).toEqual([
      'desk',
      'admin',
    ]);
  });

  it('each have the handlers that belong to them (MOD-05)', async () => {
    expect(await tools(deskUrl)).toEqual(['search']);
    expect(await tools(adminUrl)).toEqual(['purge']);
    const { result } = await perRequest(adminUrl).request('tools/list');
    const next = await perRequest(adminUrl).request('tools/list', { cursor: result?.['nextCursor'] });
    expect(namesOf(next.result, 'tools')).toEqual(['search']);
  });

  it.each([
    ['tools/call', { name: 'search' }, 'content'],
    ['resources/read', { uri: 'shared://rules' }, 'contents'],
  ])('each answer %s themselves though names are the same (MOD-05)', async (method, params, member) => {
    const answers = [
      await perRequest(deskUrl).request(method, params),
      await perRequest(adminUrl).request(method, params),
    ];
    expect(answers.map(({ result }) => entriesOf(result, member)[0]?.['text'])).toEqual([
      expect.stringContaining('of the desk'),
      expect.stringContaining('of the admin'),
    ]);
  });

  it('do not answer for each other (MOD-05)', async () => {
    const answer = await perRequest(deskUrl).request('tools/call', { name: 'purge' });
    expect(answer.error?.code).toBe(-32602);
  });

  it('share no session (MOD-05)', async () => {
    const session = await initialize(deskUrl);
    const elsewhere = await initialize(adminUrl, { headers: {} });
    const crossed = await elsewhere.request('ping', undefined, { 'mcp-session-id': session.id });
    expect(crossed.status).toBe(404);
    expect(switchboard.desk.sessions.map(({ id }) => id)).toContain(session.id);
    expect(switchboard.admin.sessions.map(({ id }) => id)).not.toContain(session.id);
  });

  it('each have a notifier and a catalog, injected by class or by name (MOD-05)', async () => {
    expect(switchboard.deskByName).toBe(switchboard.desk);
    expect(switchboard.deskCatalogByName).toBe(switchboard.deskCatalog);
    expect(switchboard.admin).not.toBe(switchboard.desk);

    switchboard.adminCatalog.tools.add({ name: 'extra' }, () => 'extra');
    expect(await tools(deskUrl)).toEqual(['search']);
    expect((await perRequest(adminUrl).request('tools/call', { name: 'extra' })).result).toBeDefined();
    switchboard.adminCatalog.tools.remove('extra');
  });

  it('each notify their own clients alone (MOD-05)', async () => {
    const streams = [
      await (await initialize(deskUrl)).openStream(),
      await (await initialize(adminUrl)).openStream(),
    ];
    switchboard.admin.log('error', 'for admins');
    switchboard.desk.log('error', 'for the desk');
    for (const stream of streams) await stream.nextNotification('notifications/message');
    expect(streams.map(({ messages }) => messages.map(({ params }) => params?.['data']))).toEqual([
      ['for the desk'],
      ['for admins'],
    ]);
    for (const stream of streams) await stream.close();
  });
});

describe.each(ADAPTERS)('servers that cannot be told apart on %s', (adapter) => {
  const forRoot = (server: string, mcpPath: string, isDefault = false) =>
    McpModule.forRoot({ server, mcpPath, isDefault, serverInfo: { name: server, version: '1.0.0' } });

  it('of which none is the default keep handlers from starting that name none (MOD-05, MOD-11)', async () => {
    const booting = bootApp({
      adapter,
      imports: [forRoot('a', '/a'), forRoot('b', '/b')],
      providers: [DeskHandlers],
    });
    await expect(booting).rejects.toThrow(/"DeskHandlers".*"McpModule.forFeature".*"isDefault: true"/);
  });

  it('of which one is the default give it the handlers that name none (MOD-05)', async () => {
    const app = await bootApp({
      adapter,
      imports: [forRoot('a', '/a'), forRoot('b', '/b', true)],
      providers: [DeskHandlers],
    });
    const { result } = await perRequest(`${app.origin}/b`).request('tools/list');
    expect(result?.['tools']).toHaveLength(1);
    expect((await perRequest(`${app.origin}/a`).request('tools/list')).result?.['tools']).toEqual([]);
    await app.close();
  });

  it('of one key keep the application from starting (MOD-05, MOD-11)', async () => {
    const failure = await bootFailure({ adapter, imports: [forRoot('a', '/a'), forRoot('a', '/b')] });
    expect(failure.message).toMatch(/"a"/);
  });

  it('of one path keep the application from starting (MOD-05, MOD-11)', async () => {
    const failure = await bootFailure({ adapter, imports: [forRoot('a', '/a'), forRoot('b', '/a')] });
    expect(failure.message).toMatch(/"mcpPath".*"\/a"/);
  });

  it('are named when a feature is assigned to one that does not exist (MOD-05, MOD-11)', async () => {
    const feature = McpModule.forFeature({ server: 'nowhere', providers: [] });
    const failure = await bootFailure({ adapter, imports: [forRoot('a', '/a'), feature] });
    expect(failure.message).toMatch(/"nowhere".*"a"/);
  });
});
