import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class ClientTool {
  @Tool({ description: 'Says what the client can do' })
  client(_: object, context: McpContext): string {
    return JSON.stringify(context.client);
  }
}

const SECOND = {
  jsonrpc: '2.0',
  id: 'second',
  method: 'initialize',
  params: {
    protocolVersion: '2024-11-05',
    capabilities: { roots: {}, sampling: {} },
    clientInfo: { name: 'another', version: '2' },
  },
};

describe.each(ADAPTERS)('the capabilities of a session on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [ClientTool] });
  });

  afterAll(() => desk.close());

  it('of the server stay what they were at initialize (SESS-02, NOTE-03)', async () => {
    const notifier = desk.app.get(McpNotifier);
    const catalog = desk.app.get(McpCatalog);
    const early = await initialize(desk.url);
    const earlyStream = await early.openStream();
    expect(early.result['capabilities']).not.toHaveProperty('prompts');

    catalog.prompts.add({ name: 'fresh' }, () => 'text');
    const late = await initialize(desk.url);
    const lateStream = await late.openStream();
    expect(late.result['capabilities']).toHaveProperty('prompts', { listChanged: true });

    notifier.promptsListChanged();
    notifier.toolsListChanged();
    await earlyStream.nextNotification('notifications/tools/list_changed');
    await lateStream.nextNotification('notifications/tools/list_changed');
    expect(earlyStream.messages).toHaveLength(1);
    expect(lateStream.messages.map(({ method }) => method)).toEqual([
      'notifications/prompts/list_changed',
      'notifications/tools/list_changed',
    ]);

    catalog.prompts.remove('fresh');
    notifier.promptsListChanged();
    await lateStream.nextNotification('notifications/prompts/list_changed');
    await earlyStream.close();
    await lateStream.close();
  });

  it('of the client stay what they were at initialize (SESS-02)', async () => {
    const session = await initialize(desk.url, { capabilities: { elicitation: {} } });
    const ask = async () => (await session.request('tools/call', { name: 'client' })).result?.['content'];
    const before = await ask();
    await session.post(SECOND);
    await perRequest(desk.url, { capabilities: { sampling: {} } }).request('tools/call', { name: 'client' });
    expect(await ask()).toEqual(before);
    expect(JSON.stringify(before)).toContain('elicitation');
  });

  it('cannot be negotiated again: a second initialize gets -32600 (SESS-02)', async () => {
    const session = await initialize(desk.url);
    const answer = await session.post(SECOND);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ id: 'second', error: { code: -32600 } });
    expect(answer.headers['mcp-session-id'] ?? session.id).toBe(session.id);
    expect((await session.request('ping')).result).toEqual({});
    expect(desk.app.get(McpNotifier).sessions.find(({ id }) => id === session.id)?.revision.version).toBe(
      '2025-11-25',
    );
  });

  it('are asked for again by a client whose session is gone, with 404 (SESS-02)', async () => {
    const session = await initialize(desk.url);
    await session.delete();
    expect((await session.post(SECOND)).status).toBe(404);
  });
});
