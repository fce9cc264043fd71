import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog, McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize } from '../../support/clients/json-rpc.js';

const TOOLS = 'notifications/tools/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';
const RESOURCES = 'notifications/resources/list_changed';

/** What all areas of a catalog can do. */
interface ChangedArea {
  add(entry: object, handler: () => string): void;
  update(key: string, changes: { description: string }): void;
  remove(key: string): boolean;
}

const methods = ({ messages }: EventStream) => messages.map(({ method }) => method);

describe.each(ADAPTERS)('list_changed on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { capabilities: { resources: true } },
      providers: [WaitingTools],
    });
    notifier = desk.app.get(McpNotifier);
  });

  afterAll(() => desk.close());

  /** Sends something that all get, so that what came before it is all there was. */
  async function settle(...streams: EventStream[]): Promise<void> {
    notifier.log('emergency', 'sentinel');
    await Promise.all(
      streams.map((stream) => stream.nextMessage(({ params }) => params?.['data'] === 'sentinel')),
    );
  }

  it('goes to every session that negotiated it, one message each (NOTE-02, NOTE-03)', async () => {
    const sessions = await Promise.all(
      ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].map((version) =>
        initialize(desk.url, { version }),
      ),
    );
    const streams = await Promise.all(sessions.map((session) => session.openStream()));
    notifier.toolsListChanged();
    await settle(...streams);
    for (const stream of streams) {
      expect(methods(stream)).toEqual([TOOLS, 'notifications/message']);
      await stream.close();
    }
  });

  it('goes to none where the server did not declare it (NOTE-03)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    expect(session.result['capabilities']).not.toHaveProperty('prompts');
    notifier.promptsListChanged();
    notifier.resourcesListChanged();
    await settle(stream);
    expect(methods(stream)).toEqual([RESOURCES, 'notifications/message']);
    await stream.close();
  });

  it('has no params (NOTE-03)', async () => {
    const stream = await (await initialize(desk.url)).openStream();
    notifier.toolsListChanged();
    expect(await stream.nextNotification(TOOLS)).toEqual({ jsonrpc: '2.0', method: TOOLS });
    await stream.close();
  });

  it('goes on the standing stream and not on that of a call (NOTE-02, NOTE-03)', async () => {
    const gate = `standing ${adapter}`;
    const session = await initialize(desk.url);
    const standing = await session.openStream();
    const call = await startCall(session, gate);
    notifier.toolsListChanged();
    await settle(standing);
    desk.app.get(WaitingTools).gates.at(gate).open();
    await call.ended;
    expect(methods(standing)).toEqual([TOOLS, 'notifications/message']);
    expect(methods(call)).toEqual(['notifications/progress', undefined]);
    await standing.close();
  });

  it('goes on the stream of a call where no other is open, and on one alone (NOTE-02, NOTE-03)', async () => {
    const session = await initialize(desk.url);
    const gates = [`a ${adapter}`, `b ${adapter}`];
    const calls = [await startCall(session, gates[0]!), await startCall(session, gates[1]!)];
    notifier.toolsListChanged();
    for (const gate of gates) desk.app.get(WaitingTools).gates.at(gate).open();
    await Promise.all(calls.map(({ ended }) => ended));
    expect(calls.flatMap(methods).filter((method) => method === TOOLS)).toHaveLength(1);
    const standing = await session.openStream();
    await settle(standing);
    expect(methods(standing)).toEqual(['notifications/message']);
    await standing.close();
  });

  it('waits for the next GET where no stream is open (NOTE-03)', async () => {
    const session = await initialize(desk.url);
    notifier.toolsListChanged();
    const stream = await session.openStream();
    await settle(stream);
    expect(methods(stream)).toEqual([TOOLS, 'notifications/message']);
    await stream.close();
  });

  it.each([
    ['tools', TOOLS, 'extra', { name: 'extra' }],
    ['resources', RESOURCES, 'desk://extra', { name: 'extra', uri: 'desk://extra' }],
    [
      'resourceTemplates',
      RESOURCES,
      'desk://extra/{id}',
      { name: 'extra', uriTemplate: 'desk://extra/{id}' },
    ],
  ] as const)(
    'follows each change of the %s in the catalog (MOD-06, NOTE-03)',
    async (name, method, key, entry) => {
      const area: ChangedArea = desk.app.get(McpCatalog)[name];
      const stream = await (await initialize(desk.url)).openStream();
      area.add(entry, () => 'text');
      await stream.nextNotification(method);
      area.update(key, { description: 'changed' });
      await stream.nextNotification(method);
      area.remove(key);
      await stream.nextNotification(method);
      await settle(stream);
      expect(methods(stream)).toEqual([method, method, method, 'notifications/message']);
      await stream.close();
    },
  );

  it('is sent once for a burst of changes (MOD-06, NOTE-03)', async () => {
    const { tools, resources, resourceTemplates } = desk.app.get(McpCatalog);
    const stream = await (await initialize(desk.url)).openStream();
    for (let count = 0; count < 50; count += 1) {
      tools.add({ name: `extra-${count}` }, () => 'text');
      resources.add({ name: 'extra', uri: `desk://extra/${count}` }, () => 'text');
    }
    resourceTemplates.add({ name: 'extra', uriTemplate: 'desk://extra/{id}/more' }, () => 'text');
    await stream.nextNotification(TOOLS);
    await settle(stream);
    expect(new Set(methods(stream))).toEqual(new Set(['notifications/message', RESOURCES, TOOLS]));
    expect(stream.messages).toHaveLength(3);

    for (let count = 0; count < 50; count += 1) {
      tools.remove(`extra-${count}`);
      resources.remove(`desk://extra/${count}`);
    }
    resourceTemplates.remove('desk://extra/{id}/more');
    await stream.nextNotification(TOOLS);
    await stream.close();
  });

  it('is not sent for a removal of what is not there (MOD-06)', async () => {
    const stream = await (await initialize(desk.url)).openStream();
    desk.app.get(McpCatalog).tools.remove('never-there');
    await Promise.resolve();
    await settle(stream);
    expect(methods(stream)).toEqual(['notifications/message']);
    expect(methods(stream)).not.toContain(PROMPTS);
    await stream.close();
  });

  /** Starts a call that has begun to stream. */
  async function startCall(
    session: Awaited<ReturnType<typeof initialize>>,
    gate: string,
  ): Promise<EventStream> {
    const params = { name: 'wait', arguments: { gate }, _meta: { progressToken: gate } };
    const stream = await session.start('tools/call', params).stream();
    await stream.nextNotification('notifications/progress');
    return stream;
  }
});
