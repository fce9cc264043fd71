import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog, McpNotifier } from 'nestjs-mcp';
import { AnyResource } from '../../support/applications/any-resource.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest, type PerRequestClient } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject, type Message } from '../../support/clients/message.js';
import { assertMessage } from '../../support/schema-check.js';

const VERSION = '2026-07-28';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
const TOOLS = 'notifications/tools/list_changed';
const RESOURCES = 'notifications/resources/list_changed';
const UPDATED = 'notifications/resources/updated';

const idOf = ({ params, result }: Message) => {
  const meta = (params ?? result)?.['_meta'] as JsonObject | undefined;
  return meta?.[metaKey('subscriptionId')];
};
const methods = ({ messages }: EventStream) => messages.map(({ method }) => method);

describe.each(ADAPTERS)('subscriptions/listen on %s', (adapter) => {
  let desk: RunningApp;
  let notifier: McpNotifier;
  let client: PerRequestClient;

  beforeAll(async () => {
    desk = await boot();
    notifier = desk.app.get(McpNotifier);
    client = perRequest(desk.url);
  });

  afterAll(() => desk.close());

  const boot = () =>
    bootServer({ adapter, options: { capabilities: { tools: true } }, providers: [AnyResource] });

  it('acknowledges first, with what it honors and serves of what was asked for (NOTE-08) (HOST-03)', async () => {
    const asked = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: false,
      resourceSubscriptions: ['desk://a', 'other://a'],
      unheardOf: true,
    };
    const stream = await client.listen(asked, { id: 'sub-1' });
    expect(stream.messages).toEqual([
      {
        jsonrpc: '2.0',
        method: ACKNOWLEDGED,
        params: {
          _meta: { [metaKey('subscriptionId')]: 'sub-1' },
          notifications: { toolsListChanged: true, resourceSubscriptions: ['desk://a'] },
        },
      },
    ]);
    await stream.close();
  });

  it('acknowledges a filter that asks for nothing (NOTE-08)', async () => {
    const stream = await client.listen({});
    expect(stream.messages[0]?.params?.['notifications']).toEqual({});
    await stream.close();
  });

  it('sends only what was asked for (NOTE-08)', async () => {
    const streams = {
      tools: await client.listen({ toolsListChanged: true }),
      resources: await client.listen({ resourcesListChanged: true }),
      one: await client.listen({ resourceSubscriptions: ['desk://a'] }),
      all: await client.listen({
        toolsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: ['desk://a', 'desk://b'],
      }),
    };
    notifier.toolsListChanged();
    notifier.promptsListChanged();
    notifier.resourceUpdated('desk://b');
    notifier.resourceUpdated('desk://c');
    notifier.resourceUpdated('desk://a');
    notifier.resourcesListChanged();
    await streams.tools.nextNotification(TOOLS);
    await streams.one.nextNotification(UPDATED);
    await streams.resources.nextNotification(RESOURCES);
    await streams.all.nextNotification(RESOURCES);
    expect([
      methods(streams.tools),
      methods(streams.resources),
      methods(streams.one),
      methods(streams.all),
    ]).toEqual([
      [ACKNOWLEDGED, TOOLS],
      [ACKNOWLEDGED, RESOURCES],
      [ACKNOWLEDGED, UPDATED],
      [ACKNOWLEDGED, TOOLS, UPDATED, UPDATED, RESOURCES],
    ]);
    for (const stream of Object.values(streams)) await stream.close();
  });

  it.each(['text', '7', 7, 0, '', 'quote"\\'])(
    'tags every message with the id %j as it was sent (NOTE-08)',
    async (id) => {
      const stream = await client.listen(
        { toolsListChanged: true, resourceSubscriptions: ['desk://a'] },
        { id },
      );
      notifier.toolsListChanged();
      notifier.resourceUpdated('desk://a');
      await stream.nextNotification(UPDATED);
      expect(stream.messages.map(idOf)).toEqual([id, id, id]);
      for (const message of stream.messages) assertMessage(message, { version: VERSION });
      await stream.close();
    },
  );

  it('says of an update which resource it is (NOTE-08)', async () => {
    const stream = await client.listen({ resourceSubscriptions: ['desk://a'] }, { id: 5 });
    notifier.resourceUpdated('desk://a');
    expect((await stream.nextNotification(UPDATED)).params).toEqual({
      _meta: { [metaKey('subscriptionId')]: 5 },
      uri: 'desk://a',
    });
    await stream.close();
  });

  it('follows the catalog as sessions do (NOTE-08, MOD-06)', async () => {
    const { tools } = desk.app.get(McpCatalog);
    const stream = await client.listen({ toolsListChanged: true });
    tools.add({ name: 'extra' }, () => 'extra');
    await stream.nextNotification(TOOLS);
    tools.remove('extra');
    await stream.nextNotification(TOOLS);
    expect(methods(stream)).toEqual([ACKNOWLEDGED, TOOLS, TOOLS]);
    await stream.close();
  });

  it('tells sessions and subscriptions alike, each in its own way (NOTE-02, NOTE-08)', async () => {
    const standing = await (await initialize(desk.url)).openStream();
    const streams = [
      await client.listen({ toolsListChanged: true }),
      await client.listen({ toolsListChanged: true }),
    ];
    notifier.toolsListChanged();
    expect(await standing.nextNotification(TOOLS)).not.toHaveProperty('params');
    for (const stream of streams) {
      await stream.nextNotification(TOOLS);
      expect(methods(stream)).toEqual([ACKNOWLEDGED, TOOLS]);
      await stream.close();
    }
    expect(methods(standing)).toEqual([TOOLS]);
    await standing.close();
  });

  it('lets two clients use the same id (NOTE-08)', async () => {
    const first = await client.listen({ toolsListChanged: true }, { id: 1 });
    const second = await client.listen({ toolsListChanged: true }, { id: 1 });
    await first.close();
    notifier.toolsListChanged();
    expect(idOf(await second.nextNotification(TOOLS))).toBe(1);
    await second.close();
  });

  it('has no event ids, for nothing is given again (NOTE-08)', async () => {
    const stream = await client.listen({ toolsListChanged: true });
    notifier.toolsListChanged();
    await stream.nextNotification(TOOLS);
    expect(stream.events.filter(({ id }) => id !== undefined)).toEqual([]);
    await stream.close();
  });

  it.each<[string, JsonObject]>([
    ['no filter', {}],
    ['a filter that is no object', { notifications: ['toolsListChanged'] }],
    ['a member of the wrong type', { notifications: { toolsListChanged: 'yes' } }],
    ['URIs that are no list', { notifications: { resourceSubscriptions: 'desk://a' } }],
    ['URIs that are no text', { notifications: { resourceSubscriptions: [1] } }],
  ])('answers %s with -32602 (NOTE-08)', async (_, params) => {
    const answer = await client.request('subscriptions/listen', params);
    expect(answer.error?.code).toBe(-32602);
  });

  it('cannot be had as JSON alone: 406 (NOTE-08, HTTP-02)', async () => {
    const headers = { accept: 'application/json' };
    const answer = await client.request('subscriptions/listen', { notifications: {} }, { headers });
    expect(answer.status).toBe(406);
  });

  it('ends on app.close() with its result alone and the end of the stream (NOTE-08, MOD-12)', async () => {
    const closing = await boot();
    const streams = [
      await perRequest(closing.url).listen({ toolsListChanged: true }, { id: 'last' }),
      await perRequest(closing.url).listen({}, { id: 42 }),
    ];
    await closing.close();
    for (const [index, id] of ['last', 42].entries()) {
      const stream = streams[index]!;
      await stream.ended;
      expect(stream.messages).toHaveLength(2);
      const [, response] = stream.messages;
      expect(response).toMatchObject({ id, result: { resultType: 'complete' } });
      expect(idOf(response!)).toEqual(id);
      assertMessage(response!, { version: VERSION, method: 'subscriptions/listen' });
    }
  });
});
