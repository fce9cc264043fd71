import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client as ClientV2 } from '@modelcontextprotocol/client';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { ADAPTERS } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootShop, WIRES, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, FRONTS, NOTES, type FrontClient, type RunningGateway } from './gateway.app.js';

const STOCK = 'shop+shop://stock';
const PLUMS = 'shop+shop://goods/plums';

/** A client, with the updates that it receives. */
interface Subscriber {
  readonly client: FrontClient;
  readonly updated: readonly string[];
  /** Subscribes, and returns what ends the subscription. */
  subscribe(uri: string): Promise<() => Promise<unknown>>;
}

async function createSubscriber(client: FrontClient): Promise<Subscriber> {
  const updated: string[] = [];
  const note = ({ params }: { params: { uri: string } }) => void updated.push(params.uri);
  if ('getProtocolEra' in client) {
    const v2 = client as unknown as ClientV2;
    v2.setNotificationHandler('notifications/resources/updated', note);
    const subscribe = async (uri: string) => {
      const subscription = await v2.listen({ resourceSubscriptions: [uri] });
      return () => subscription.close();
    };
    return { client, updated, subscribe };
  }
  const v1 = client as unknown as {
    setNotificationHandler(schema: object, handle: unknown): void;
    subscribeResource(params: { uri: string }): Promise<unknown>;
    unsubscribeResource(params: { uri: string }): Promise<unknown>;
  };
  v1.setNotificationHandler(ResourceUpdatedNotificationSchema, note);
  const subscribe = async (uri: string) => {
    await v1.subscribeResource({ uri });
    return () => v1.unsubscribeResource({ uri });
  };
  return { client, updated, subscribe };
}

const ROWS = FRONTS.flatMap(([front, connect]) =>
  WIRES.map((negotiation, index) => ({
    front,
    connect,
    negotiation,
    back: JSON.stringify(negotiation),
    adapter: ADAPTERS[index % ADAPTERS.length] ?? 'express',
  })),
);

describe.each(ROWS)('Subscriptions of $front on $adapter to a server of $back', (row) => {
  /** What the server behind the gateway observes. */
  const events: string[] = [];
  let shop: RunningShop;
  let gateway: RunningGateway;

  const connect = async () => createSubscriber((await row.connect(gateway.url)) as FrontClient);
  const happens = (event: string) =>
    until(
      () => events.includes(event),
      () => events.join(),
    );

  beforeAll(async () => {
    shop = await bootShop();
    shop.shop.notifier.subscriptions$.subscribe(({ type, uri }) => events.push(`${type} ${uri}`));
    const limits = { refreshMs: 50 };
    gateway = await bootGateway({
      adapter: row.adapter,
      servers: { shop: { url: shop.url, negotiation: row.negotiation, limits }, notes: NOTES },
    });
    await gateway.ready('shop', 'notes');
  });
  afterAll(async () => {
    await gateway.close();
    await shop.close();
  });
  beforeEach(() => void (events.length = 0));

  it('reach the server once, and end with the last (GATE-02)', async () => {
    const [one, other] = [await connect(), await connect()];
    const ends = [await one.subscribe(STOCK), await other.subscribe(STOCK)];
    await happens('subscribed shop://stock');
    shop.shop.notifier.resourceUpdated('shop://stock');
    await until(() => one.updated.length > 0 && other.updated.length > 0, 'the updates');
    expect([one.updated, other.updated]).toEqual([[STOCK], [STOCK]]);
    await ends[0]?.();
    shop.shop.notifier.resourceUpdated('shop://stock');
    await until(() => other.updated.length === 2, 'the second update');
    await ends[1]?.();
    await happens('unsubscribed shop://stock');
    expect([events, one.updated]).toEqual([
      ['subscribed shop://stock', 'unsubscribed shop://stock'],
      [STOCK],
    ]);
    await Promise.all([one.client.close(), other.client.close()]);
  });

  it('of a template reach the server too, and end with their client (GATE-02)', async () => {
    const { client, updated, subscribe } = await connect();
    await subscribe(PLUMS);
    await happens('subscribed shop://goods/plums');
    shop.shop.notifier.resourceUpdated('shop://goods/plums');
    await until(() => updated.length > 0, 'the update');
    expect(updated).toEqual([PLUMS]);
    await endConnection(client);
    await happens('unsubscribed shop://goods/plums');
  });

  it('are accepted for a server without updates, and disturb no other (GATE-02)', async () => {
    const { client, updated, subscribe } = await connect();
    await subscribe('notes+note://1');
    await subscribe(STOCK);
    await happens('subscribed shop://stock');
    shop.shop.notifier.resourceUpdated('shop://stock');
    await until(() => updated.length > 0, 'the update');
    expect(updated).toEqual([STOCK]);
    await endConnection(client);
    await happens('unsubscribed shop://stock');
  });
});

/** A client with a session ends it; without one, its streams end with it. */
async function endConnection(client: FrontClient): Promise<void> {
  const { transport } = client as unknown as { transport?: { terminateSession?(): Promise<void> } };
  if (!('getProtocolEra' in client)) await transport?.terminateSession?.();
  await client.close();
}
