import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Gate } from '../../support/applications/gate.js';
import { until, within } from '../../support/until.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const STOCK = 'shop://stock';

describe.each(WIRES)('Subscriptions of an injected client (%j)', (negotiation) => {
  let server: RunningShop;
  let customer: Customer;
  let requests: RecordedFetch;

  beforeEach(async () => {
    server = await bootShop();
    requests = new RecordedFetch();
    customer = await bootCustomer({ url: server.url, negotiation, fetch: requests.fetch });
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  /** Changes the resource until the change is told: that the server knows of the subscription is not seen from here. */
  const changeUntil = (isTold: () => boolean) =>
    until(() => {
      server.shop.notifier.resourceUpdated(STOCK);
      return isTold();
    }, 'an update');

  it('emit when the resource changes, to each observer (CLI-18)', async () => {
    const told: string[][] = [[], []];
    const [first, second] = told.map((list) =>
      customer.client.subscribe(STOCK).subscribe(({ uri }) => list.push(uri)),
    );
    await changeUntil(() => told.every((list) => list.length > 0));
    expect(new Set(told.flat())).toEqual(new Set([STOCK]));
    first?.unsubscribe();
    const before = told[1]?.length ?? 0;
    await changeUntil(() => (told[1]?.length ?? 0) > before);
    second?.unsubscribe();
  });

  it('are not told of a resource whose URI only begins alike (CLI-18)', async () => {
    const told: string[] = [];
    const alike: string[] = [];
    customer.client.subscribe('shop://goods/1').subscribe(({ uri }) => told.push(uri));
    customer.client.subscribe('shop://goods/12').subscribe(({ uri }) => alike.push(uri));
    await until(() => {
      server.shop.notifier.resourceUpdated('shop://goods/12');
      return alike.length > 0;
    }, 'an update of the other');
    expect(told).not.toContain('shop://goods/12');
  });

  it('ask the server once for all observers (CLI-18)', async () => {
    const told: string[][] = [[], []];
    told.forEach((list) => customer.client.subscribe(STOCK).subscribe(({ uri }) => list.push(uri)));
    await changeUntil(() => told.every((list) => list.length > 0));
    expect(requests.count('resources/subscribe') + requests.count('subscriptions/listen')).toBe(1);
  });

  it('end with the last observer (CLI-18)', async () => {
    const told: string[] = [];
    const subscription = customer.client.subscribe(STOCK).subscribe(({ uri }) => told.push(uri));
    await changeUntil(() => told.length > 0);
    subscription.unsubscribe();
    const method = negotiation === 'legacy' ? 'resources/unsubscribe' : 'notifications/cancelled';
    expect(await until(() => requests.count(method) === 1, 'the end of the subscription')).toBe(true);
  });

  it('complete with the client (CLI-18)', async () => {
    let isComplete = false;
    const told: string[] = [];
    customer.client.subscribe(STOCK).subscribe({
      next: ({ uri }) => told.push(uri),
      complete: () => (isComplete = true),
    });
    await changeUntil(() => told.length > 0);
    await customer.app.close();
    expect(isComplete).toBe(true);
  });
});

describe('A subscription that the server refuses', () => {
  let server: RunningShop;
  let customer: Customer;

  beforeEach(async () => {
    server = await bootShop();
    customer = await bootCustomer({ url: server.url, negotiation: 'legacy' });
  });
  afterEach(async () => {
    await customer.app.close();
    await server.close();
  });

  /** Longer than URIs that servers take. */
  const REFUSED = `shop://${'x'.repeat(9000)}`;

  const observe = () =>
    new Promise((resolve) => customer.client.subscribe(REFUSED).subscribe({ error: resolve }));

  it('fails for each of its observers (CLI-18)', async () => {
    const failures = await within(Promise.all([observe(), observe(), observe()]), 'all failures');
    expect(failures).toEqual(Array(3).fill(expect.objectContaining({ code: -32602 })));
  });

  it('is asked for again by who observes it afterwards (CLI-18)', async () => {
    await within(observe(), 'a failure');
    await expect(within(observe(), 'another')).resolves.toMatchObject({ code: -32602 });
  });
});

describe('A subscription whose stream stands when its connection is lost', () => {
  it('goes on over the next connection, and says that a change may have been missed (CLI-18)', async () => {
    const server = await bootShop();
    const requests = new RecordedFetch();
    const gate = new Gate();
    let isBroken = false;
    const { client, app } = await bootCustomer({
      url: server.url,
      negotiation: { pin: '2026-07-28' },
      reconnect: { initialDelayMs: 20 },
      fetch: async (input, init) => {
        if (isBroken) {
          isBroken = false;
          throw new TypeError('fetch failed', { cause: new Error('reset') });
        }
        const isFirst = requests.count('subscriptions/listen') === 0;
        const response = await requests.fetch(input, init);
        if (isFirst && requests.sent.at(-1) === 'subscriptions/listen') await gate.pass();
        return response;
      },
    });
    await client.connect();
    // A call that goes on holds the connection that is lost for others.
    const over = new AbortController();
    const long = client.callTool('wait', {}, { signal: over.signal }).catch(() => 'over');
    await until(() => server.shop.seen.includes('wait'), 'the call');
    let told = 0;
    client.subscribe(STOCK).subscribe(() => (told += 1));
    await gate.reached();
    isBroken = true;
    await client.callTool('fail').catch(() => undefined);
    await until(() => client.state === 'connected', 'the next connection');
    gate.open();
    await until(() => requests.count('subscriptions/listen') === 2, 'the next stream');
    await until(() => told > 0, 'word that a change may have been missed');
    over.abort();
    await long;
    told = 0;
    const isTold = () => {
      server.shop.notifier.resourceUpdated(STOCK);
      return told > 0;
    };
    expect(await until(isTold, 'an update')).toBe(true);
    await app.close();
    await server.close();
  });
});

describe('A resource that is observed again while its subscription ends', () => {
  it('is subscribed to after that, and goes on to be told of (CLI-18)', async () => {
    const server = await bootShop();
    const requests = new RecordedFetch();
    const gate = new Gate();
    const { client, app } = await bootCustomer({
      url: server.url,
      negotiation: 'legacy',
      fetch: async (input, init) => {
        if (JSON.stringify(init?.body)?.includes('resources/unsubscribe')) await gate.pass();
        return requests.fetch(input, init);
      },
    });
    const first = client.subscribe(STOCK).subscribe();
    await until(() => requests.count('resources/subscribe') === 1, 'the subscription');
    first.unsubscribe();
    await gate.reached();
    let told = 0;
    client.subscribe(STOCK).subscribe(() => (told += 1));
    await client.readResource(STOCK);
    gate.open();
    await until(() => requests.count('resources/unsubscribe') === 1, 'the end of the first subscription');
    await until(() => requests.count('resources/subscribe') === 2, 'another subscription');
    told = 0;
    const isTold = () => {
      server.shop.notifier.resourceUpdated(STOCK);
      return told > 0;
    };
    expect(await until(isTold, 'an update')).toBe(true);
    expect(
      requests.sent.filter((method) => method.startsWith('resources/') && method.endsWith('subscribe')),
    ).toEqual(['resources/subscribe', 'resources/unsubscribe', 'resources/subscribe']);
    await app.close();
    await server.close();
  });
});

describe('A subscription that a later session refuses', () => {
  it('is asked for again by who observes it afterwards, and serves all then (CLI-18)', async () => {
    const server = await bootShop();
    const requests = new RecordedFetch();
    let [isBroken, refusals] = [false, 0];
    const { client, app } = await bootCustomer({
      url: server.url,
      negotiation: 'legacy',
      reconnect: { initialDelayMs: 20 },
      fetch: async (input, init) => {
        if (isBroken) {
          isBroken = false;
          throw new TypeError('fetch failed', { cause: new Error('reset') });
        }
        const message = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
        if (
          message.method !== 'resources/subscribe' ||
          requests.count(message.method) !== 1 ||
          refusals > 0
        ) {
          return requests.fetch(input, init);
        }
        refusals += 1;
        return Response.json({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'not now' } });
      },
    });
    const told = [0, 0];
    const observe = (who: 0 | 1) => client.subscribe(STOCK).subscribe(() => (told[who]! += 1));
    observe(0);
    await until(() => requests.count('resources/subscribe') === 1, 'the subscription');
    isBroken = true;
    await client.callTool('fail').catch(() => undefined);
    await until(() => refusals === 1, 'the refusal');
    observe(1);
    await until(() => requests.count('resources/subscribe') === 2, 'another subscription');
    told.fill(0);
    const areTold = () => {
      server.shop.notifier.resourceUpdated(STOCK);
      return told.every((count) => count > 0);
    };
    expect(await until(areTold, 'an update')).toBe(true);
    await app.close();
    await server.close();
  });
});
