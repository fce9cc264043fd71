import { describe, expect, it } from '@jest/globals';
import type { SubscriptionFilter } from '../../../../lib/server/notifications/change-notifications.js';
import { ListenerRegistry, type Listener } from '../../../../lib/server/notifications/listener-registry.js';
import { MetaKey } from '../../../../lib/core/protocol/meta-keys.js';
import { OutboundNotification } from '../../../../lib/core/protocol/outbound-message.js';
import type { Json } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

interface RecordedListener extends Listener {
  /** Methods of what was sent, and `result` where the subscription was finished. */
  readonly heard: string[];
  readonly messages: Json[];
}

function buildListener(subscriptionId: string | number, filter: SubscriptionFilter): RecordedListener {
  const heard: string[] = [];
  const messages: Json[] = [];
  return {
    subscriptionId,
    filter,
    heard,
    messages,
    send: ({ json }) => {
      const message = JSON.parse(json) as Json;
      messages.push(message);
      heard.push(String(message['method']));
    },
    finish: () => heard.push('result'),
  };
}

const createRegistry = (maxListeners?: number) =>
  new ListenerRegistry(buildSettings(maxListeners === undefined ? {} : { streams: { maxListeners } }));

const buildListenerOf = (identity: string | undefined) => ({ ...buildListener(1, {}), identity });

const CHANGED = new OutboundNotification('notifications/tools/list_changed');
const UPDATED = new OutboundNotification('notifications/resources/updated', { uri: 'desk://1' });

describe('ListenerRegistry (MCP 2026-07-28 basic/utilities/subscriptions)', () => {
  it.each([
    ['tools', 'toolsListChanged'],
    ['prompts', 'promptsListChanged'],
    ['resources', 'resourcesListChanged'],
  ] as const)('tells of changes of %s those who asked for "%s" (NOTE-08)', (_list, filter) => {
    const registry = createRegistry();
    const asking = buildListener(1, { [filter]: true });
    const others = [buildListener(2, { [filter]: false }), buildListener(3, {})];
    const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    others.push(buildListener(4, { ...all, [filter]: false }));
    for (const listener of [asking, ...others]) registry.add(listener);
    registry.sendListChanged(filter, CHANGED);
    expect([asking, ...others].map(({ heard }) => heard.length)).toEqual([1, 0, 0, 0]);
  });

  it('tells of a resource those who named it (NOTE-08)', () => {
    const registry = createRegistry();
    const listeners = [
      buildListener(1, { resourceSubscriptions: ['desk://1', 'desk://2'] }),
      buildListener(2, { resourceSubscriptions: ['desk://2'] }),
      buildListener(3, { resourceSubscriptions: [] }),
      buildListener(4, { resourcesListChanged: true }),
    ];
    for (const listener of listeners) registry.add(listener);
    registry.sendUpdate({ filter: 'resourceSubscriptions', uri: 'desk://1' }, UPDATED);
    registry.sendUpdate({ filter: 'resourceSubscriptions', uri: 'desk://3' }, UPDATED);
    expect(listeners.map(({ heard }) => heard.length)).toEqual([1, 0, 0, 0]);
  });

  it('tags each message with the id of the subscription, in its type (NOTE-08)', () => {
    const registry = createRegistry();
    const listeners = [1, '1', 'x'].map((id) => buildListener(id, { resourceSubscriptions: ['desk://1'] }));
    for (const listener of listeners) registry.add(listener);
    registry.sendUpdate({ filter: 'resourceSubscriptions', uri: 'desk://1' }, UPDATED);
    expect(listeners.map(({ messages }) => (messages[0]!['params'] as Json)['_meta'])).toEqual([
      { [MetaKey.subscriptionId]: 1 },
      { [MetaKey.subscriptionId]: '1' },
      { [MetaKey.subscriptionId]: 'x' },
    ]);
  });

  it('tells nothing to a listener that was removed, and keeps nothing of it (NOTE-08)', () => {
    const registry = createRegistry(1);
    const filter = { toolsListChanged: true, resourceSubscriptions: ['desk://1'] };
    for (let round = 0; round < 100; round++) {
      const listener = buildListener(round, filter);
      registry.add(listener);
      registry.remove(listener);
      registry.remove(listener);
      registry.sendListChanged('toolsListChanged', CHANGED);
      registry.sendUpdate({ filter: 'resourceSubscriptions', uri: 'desk://1' }, UPDATED);
      expect(listener.heard).toEqual([]);
    }
  });

  it('removes no other listener with it, even one of the same id and filter (NOTE-08)', () => {
    const registry = createRegistry();
    const filter = { toolsListChanged: true, resourceSubscriptions: ['desk://1'] };
    const [one, other] = [buildListener(1, filter), buildListener(1, filter)];
    for (const listener of [one, other]) registry.add(listener);
    registry.remove(one);
    registry.sendListChanged('toolsListChanged', CHANGED);
    registry.sendUpdate({ filter: 'resourceSubscriptions', uri: 'desk://1' }, UPDATED);
    expect([one.heard.length, other.heard.length]).toEqual([0, 2]);
  });

  it('takes no more listeners than it may (HTTP-10)', () => {
    const registry = createRegistry(2);
    const listeners = [1, 2].map((id) => buildListener(id, {}));
    for (const listener of listeners) registry.add(listener);
    const refused = buildListener(3, { toolsListChanged: true });
    expect(() => registry.add(refused)).toThrow(/subscription limit/);
    registry.sendListChanged('toolsListChanged', CHANGED);
    registry.close();
    expect(refused.heard).toEqual([]);
    registry.remove(listeners[0]!);
    expect(() => registry.add(refused)).not.toThrow();
  });

  it('takes no more listeners of one caller than it may, and others besides (HTTP-10)', () => {
    const registry = new ListenerRegistry(buildSettings({ streams: { maxListenersPerCaller: 2 } }));
    const own = ['ada', 'ada'].map(buildListenerOf);
    for (const listener of own) registry.add(listener);
    expect(() => registry.add(buildListenerOf('ada'))).toThrow(
      expect.objectContaining({ code: -32023, httpStatus: 429 }),
    );
    expect(() => registry.add(buildListenerOf('bob'))).not.toThrow();
    for (let round = 0; round < 2; round += 1) registry.remove(own[0]!);
    expect(() => registry.add(buildListenerOf('ada'))).not.toThrow();
    expect(() => registry.add(buildListenerOf('ada'))).toThrow(/subscription limit/);
  });

  it('bounds callers that are not known together alone (HTTP-10)', () => {
    const registry = new ListenerRegistry(
      buildSettings({ streams: { maxListeners: 3, maxListenersPerCaller: 1 } }),
    );
    for (let count = 0; count < 3; count += 1) registry.add(buildListenerOf(undefined));
    expect(() => registry.add(buildListenerOf(undefined))).toThrow(/subscription limit/);
  });

  it('ends each subscription with its result alone (NOTE-08, MOD-12)', () => {
    const registry = createRegistry();
    const listeners = ['a', 7].map((id) => buildListener(id, {}));
    for (const listener of listeners) registry.add(listener);
    registry.close();
    for (const { heard } of listeners) expect(heard).toEqual(['result']);
  });

  it('ends each of them, also those that leave while others are ended (MOD-12)', () => {
    const registry = createRegistry();
    const listeners = [1, 2, 3].map((id) => {
      const listener: RecordedListener = {
        ...buildListener(id, {}),
        finish: () => {
          listener.heard.push('result');
          registry.remove(listener);
        },
      };
      return listener;
    });
    for (const listener of listeners) registry.add(listener);
    registry.close();
    registry.close();
    for (const { heard } of listeners) expect(heard).toEqual(['result']);
  });
});
