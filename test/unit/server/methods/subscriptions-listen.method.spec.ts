import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestContext } from '../../../../lib/server/context/request-context.js';
import { CapabilitiesDeclaration } from '../../../../lib/server/methods/capabilities-declaration.js';
import { SubscriptionsListenMethod } from '../../../../lib/server/methods/subscriptions-listen.method.js';
import { ListenerRegistry } from '../../../../lib/server/notifications/listener-registry.js';
import { MetaKey } from '../../../../lib/core/protocol/meta-keys.js';
import { OutboundNotification } from '../../../../lib/core/protocol/outbound-message.js';
import { ExtensionSubscriptions } from '../../../../lib/server/notifications/extension-subscriptions.js';
import type { McpOptions } from '../../../../lib/server/settings/mcp-options.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, RecordingChannel, type Json } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const OFFERED = { capabilities: { tools: true, prompts: true, resources: true } };
const BOUNDS = { maxSubscriptions: 3, maxSubscriptionCharacters: 100 };
const CHANGED = new OutboundNotification('notifications/tools/list_changed');

describe('subscriptions/listen (MCP 2026-07-28 basic/utilities/subscriptions)', () => {
  let listeners: ListenerRegistry;
  let channel: RecordingChannel;

  beforeEach(() => {
    listeners = new ListenerRegistry(buildSettings({ streams: { maxListeners: 2 } }));
    channel = new RecordingChannel();
    added = new ExtensionSubscriptions();
  });

  let added: ExtensionSubscriptions;

  function listen(notifications: unknown, options: Partial<McpOptions> = OFFERED, context?: RequestContext) {
    const settings = buildSettings({ ...options, sessions: BOUNDS });
    const catalog = new TestCatalog();
    const { resourceAccess, entries } = catalog;
    if (options === OFFERED) entries.resourceTemplates.add({ name: 'any', uriTemplate: '{+path}' }, () => 1);
    const declared = new CapabilitiesDeclaration(settings, catalog);
    const method = new SubscriptionsListenMethod(listeners, added, declared, settings, resourceAccess);
    return method.handle(context ?? buildContextOf(notifications));
  }

  const buildContextOf = (notifications: unknown) =>
    buildContext('subscriptions/listen', { id: 'listen-1', channel, params: { notifications } });

  it('is acknowledged first, tagged, with what the server honors (NOTE-08)', () => {
    void listen({ ...ALL, resourceSubscriptions: ['desk://1', 'desk://1'] });
    expect(channel.messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: {
          _meta: { [MetaKey.subscriptionId]: 'listen-1' },
          notifications: { ...ALL, resourceSubscriptions: ['desk://1'] },
        },
      },
    ]);
  });

  it.each<[string, object, Partial<McpOptions>, object]>([
    ['nothing', {}, OFFERED, {}],
    [
      'what was asked for',
      { toolsListChanged: true, promptsListChanged: false },
      OFFERED,
      { toolsListChanged: true },
    ],
    ['of that what is declared', ALL, { capabilities: { prompts: true } }, { promptsListChanged: true }],
    ['no resources where there are none', { resourceSubscriptions: ['desk://1'] }, {}, {}],
    ['no member that is not published', { ...ALL, everything: true, __proto__: { x: 1 } }, OFFERED, ALL],
  ])('honors %s (NOTE-08)', (_what, asked, options, honored) => {
    void listen(asked, options);
    expect((channel.messages[0]!['params'] as Json)['notifications']).toEqual(honored);
  });

  it('hears what it asked for and nothing else, until the client leaves (NOTE-08)', async () => {
    const context = buildContextOf({ toolsListChanged: true });
    const answered = listen(undefined, OFFERED, context);
    listeners.sendListChanged('toolsListChanged', CHANGED);
    listeners.sendListChanged('promptsListChanged', CHANGED);
    context.cancel('The client is gone');
    listeners.sendListChanged('toolsListChanged', CHANGED);
    await answered;
    expect(channel.sent).toHaveLength(2);
  });

  it('ends with a result that names the subscription when the server closes it (NOTE-08)', async () => {
    const answered = listen(ALL);
    listeners.close();
    expect(await answered).toEqual({ _meta: { [MetaKey.subscriptionId]: 'listen-1' } });
    expect(channel.messages.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
    ]);
  });

  it('makes room when it ends, however it does (HTTP-10)', async () => {
    for (let round = 0; round < 10; round++) {
      const context = buildContextOf({});
      const answered = listen({}, OFFERED, context);
      if (round % 2 === 0) context.cancel('gone');
      else listeners.close();
      await answered;
    }
    void listen({});
    void listen({});
    await expect(listen({})).rejects.toMatchObject({ httpStatus: 429 });
  });

  it('closes what one extension opened where another one cannot (EXT-03) (SAFE-01)', async () => {
    const closed: string[] = [];
    const honor = () => true;
    added.add({ filter: 'weather', grant: honor, open: () => () => closed.push('weather') });
    added.add({
      filter: 'tides',
      grant: honor,
      open: () => {
        throw new Error('the gauge is broken');
      },
    });
    await expect(listen({ weather: true, tides: true })).rejects.toThrow('the gauge is broken');
    expect(closed).toEqual(['weather']);
  });

  it('may have as many characters in its resources as a session (HTTP-10)', () => {
    const resourceSubscriptions = ['a'.repeat(50), 'b'.repeat(50)];
    void listen({ resourceSubscriptions });
    expect((channel.messages[0]!['params'] as Json)['notifications']).toEqual({ resourceSubscriptions });
  });

  it.each<[string, unknown]>([
    ['no filter', undefined],
    ['a filter that is a list', ['toolsListChanged']],
    ['the filter null', null],
    ['a mark that is no boolean', { toolsListChanged: 'yes' }],
    ['resources that are no list', { resourceSubscriptions: 'desk://1' }],
    ['a resource that is no text', { resourceSubscriptions: ['desk://1', 7] }],
    ['too many resources', { resourceSubscriptions: ['a', 'b', 'c', 'd'] }],
    ['resources of too many characters', { resourceSubscriptions: ['a'.repeat(50), 'b'.repeat(51)] }],
    ['a member of the filter that is long', { ...ALL, taskIds: ['x'.repeat(66_000)] }],
    ['a member of the filter that is nested without end', { ...ALL, taskIds: nest(100_000) }],
  ])('answers %s with -32602 and does not listen (CORE-01)', async (_what, notifications) => {
    await expect(listen(notifications)).rejects.toMatchObject({ code: -32602 });
    expect(channel.sent).toEqual([]);
  });

  it('answers long metadata with -32602, which its stream would keep as long as it lasts (HTTP-10)', async () => {
    const params = { notifications: ALL, _meta: { 'com.example/note': 'x'.repeat(66_000) } };
    const context = buildContext('subscriptions/listen', { channel, params });
    await expect(listen(undefined, OFFERED, context)).rejects.toMatchObject({ code: -32602 });
    expect(channel.sent).toEqual([]);
  });

  it('is refused where the client takes no event stream (HTTP-02)', async () => {
    channel = new RecordingChannel(false);
    await expect(listen(ALL)).rejects.toMatchObject({ httpStatus: 406 });
  });
});

function nest(depth: number): unknown {
  return JSON.parse(`${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`);
}
