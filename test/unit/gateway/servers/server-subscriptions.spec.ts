import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Observable, Subject } from 'rxjs';
import type { McpClient } from '../../../../lib/client/module/index.js';
import type { ServerEntries } from '../../../../lib/gateway/servers/server-entries.js';
import { ServerSubscriptions } from '../../../../lib/gateway/servers/server-subscriptions.js';
import type { GatewayServerSettings } from '../../../../lib/gateway/settings/gateway-options.js';
import type { McpNotifier } from '../../../../lib/index.js';

const SETTINGS = { name: 'shop', limits: { refreshMs: 50 } } as unknown as GatewayServerSettings;
const STOCK = 'shop+shop://stock';

interface SubscriptionEvent {
  readonly type: 'subscribed' | 'unsubscribed';
  readonly uri: string;
}

describe('ServerSubscriptions', () => {
  /** The subscriptions that the server accepts at a time. */
  let room: number;
  let requests: string[];
  let active: Set<string>;
  let offered: boolean;
  let updated: string[];
  let updates$: Subject<void>;
  let clients$: Subject<SubscriptionEvent>;
  let subscriptions: ServerSubscriptions;

  const subscribe = (uri: string) => clients$.next({ type: 'subscribed', uri });
  const unsubscribe = (uri: string) => clients$.next({ type: 'unsubscribed', uri });

  beforeEach(() => {
    jest.useFakeTimers();
    room = Infinity;
    requests = [];
    active = new Set();
    offered = true;
    updated = [];
    updates$ = new Subject();
    clients$ = new Subject();
    const observe = (uri: string) =>
      new Observable<void>((subscriber) => {
        requests.push(uri);
        if (active.size >= room) return subscriber.error(new Error('too many subscriptions'));
        active.add(uri);
        subscriber.add(updates$.subscribe(subscriber));
        return () => void active.delete(uri);
      });
    const entries = {
      findOfferedUri: (uri: string) =>
        offered && !uri.startsWith('other+') ? { listed: uri, uri } : undefined,
    };
    const resourceUpdated = (uri: string) => void updated.push(uri);
    subscriptions = new ServerSubscriptions(
      SETTINGS,
      { subscribe: observe } as unknown as McpClient,
      entries as unknown as ServerEntries,
      { subscriptions$: clients$, resourceUpdated } as unknown as McpNotifier,
    );
    subscriptions.begin();
  });
  afterEach(() => {
    subscriptions.close();
    jest.useRealTimers();
  });

  it('subscribes as soon as the server offers the resource of a resumed session (GATE-02)', () => {
    offered = false;
    subscribe(STOCK);
    expect(active.size).toBe(0);
    offered = true;
    subscriptions.resume();
    updates$.next();
    expect(updated).toEqual([STOCK]);
    unsubscribe(STOCK);
    expect(active.size).toBe(0);
  });

  it('requests a refused subscription again, less and less often (GATE-02)', () => {
    room = 0;
    subscribe(STOCK);
    jest.advanceTimersByTime(1000);
    expect(requests).toHaveLength(2);
    jest.advanceTimersByTime(60_000);
    expect(requests.length).toBeGreaterThan(5);
    const before = requests.length;
    jest.advanceTimersByTime(60 * 60_000);
    expect(requests.length - before).toBeLessThan(40);
    room = 1;
    jest.advanceTimersByTime(5 * 60_000);
    expect([...active]).toEqual([STOCK]);
  });

  it("retries a refused subscription beside any number of other servers' resources (GATE-02)", () => {
    room = 0;
    for (let count = 0; count < 30; count += 1) subscribe(`other+shop://${count}`);
    subscribe(STOCK);
    room = 1;
    jest.advanceTimersByTime(1000);
    expect([...active]).toEqual([STOCK]);
  });

  it('ends all subscriptions, and the retries (GATE-02)', () => {
    room = 1;
    subscribe('a');
    subscribe('b');
    subscriptions.close();
    expect([active.size, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('gives the room that one leaves to a refused one soon (GATE-02)', () => {
    room = 1;
    subscribe('a');
    subscribe('b');
    jest.advanceTimersByTime(60 * 60_000);
    expect([...active]).toEqual(['a']);
    unsubscribe('a');
    jest.advanceTimersByTime(1000);
    expect([...active]).toEqual(['b']);
  });

  it('requests only some of many at a time, each in turn (GATE-02)', () => {
    room = 0;
    const uris = Array.from({ length: 30 }, (_, index) => `resource-${index}`);
    for (const uri of uris) subscribe(uri);
    requests.length = 0;
    jest.advanceTimersByTime(1000);
    expect(requests).toEqual(uris.slice(0, 20));
    jest.advanceTimersByTime(2000);
    expect(requests.slice(20, 30)).toEqual(uris.slice(20));
  });
});
