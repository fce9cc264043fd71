import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import type { HttpClientOptions } from 'nestjs-mcp/client-module';
import { until } from '../../support/until.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootCustomer, bootShop, type Customer, type RunningShop } from './shop.app.js';

const MODERN = { pin: '2026-07-28' } as const;
const KEPT: Partial<McpOptions> = { cache: { tools: { ttlMs: 60_000, scope: 'private' } } };

let server: RunningShop;
let customer: Customer;
let requests: RecordedFetch;

async function boot(negotiation: HttpClientOptions['negotiation'], options: Partial<McpOptions> = {}) {
  server = await bootShop(options);
  requests = new RecordedFetch();
  customer = await bootCustomer({ url: server.url, negotiation, fetch: requests.fetch });
}

afterEach(async () => {
  await customer.app.close();
  await server.close();
});

const listTools = async () => (await customer.client.listTools()).map(({ name }) => name);
const fetches = () => requests.count('tools/list');

/** Lists until the list at hand is given again. */
async function listUntilKept(): Promise<void> {
  await until(async () => {
    const before = fetches();
    await listTools();
    return fetches() === before;
  }, 'a list that is kept');
}

describe('Lists of an injected client, in a session', () => {
  it('are kept until the server says that they changed, and fetched when they are used next (CLI-18)', async () => {
    await boot('legacy');
    await listUntilKept();
    const before = fetches();
    await listTools();
    expect(fetches()).toBe(before);
    const told: string[] = [];
    customer.client.notifications$.subscribe(({ method }) => told.push(method));
    server.shop.catalog.tools.add({ name: 'now', description: 'Tells the time' }, () => 'noon');
    await until(() => told.includes('notifications/tools/list_changed'), 'the notification');
    expect(fetches()).toBe(before);
    expect(await listTools()).toContain('now');
    expect(fetches()).toBe(before + 1);
  });

  it('stay as they are when others change (CLI-18)', async () => {
    await boot('legacy');
    await listUntilKept();
    const before = fetches();
    const told: string[] = [];
    customer.client.notifications$.subscribe(({ method }) => told.push(method));
    server.shop.notifier.promptsListChanged();
    await until(() => told.includes('notifications/prompts/list_changed'), 'the notification');
    await listTools();
    expect(fetches()).toBe(before);
  });

  it('are asked for each time where nothing could be told (CLI-18)', async () => {
    await boot('legacy', { stateless: true });
    await listTools();
    await listTools();
    await listTools();
    expect(fetches()).toBe(3);
  });
});

describe('Lists of an injected client, on the stateless wire', () => {
  it('are asked for each time where the server does not let them be kept (CLI-18)', async () => {
    await boot(MODERN);
    await listTools();
    await listTools();
    expect(fetches()).toBe(2);
    expect(requests.count('subscriptions/listen')).toBe(0);
  });

  it('are kept as long as the server lets them be (CLI-18)', async () => {
    await boot(MODERN, KEPT);
    await listUntilKept();
    const before = fetches();
    await listTools();
    expect(fetches()).toBe(before);
  });

  it('go stale before that when the server says that they changed, which is listened to (CLI-18)', async () => {
    await boot(MODERN, KEPT);
    await listTools();
    await until(() => requests.count('subscriptions/listen') === 1, 'the stream');
    await listUntilKept();
    const before = fetches();
    const told: string[] = [];
    customer.client.notifications$.subscribe(({ method }) => told.push(method));
    server.shop.catalog.tools.add({ name: 'now', description: 'Tells the time' }, () => 'noon');
    await until(() => told.includes('notifications/tools/list_changed'), 'the notification');
    expect(await listTools()).toContain('now');
    expect(fetches()).toBe(before + 1);
  });

  it('are fetched once for all who ask at once (CLI-18)', async () => {
    await boot(MODERN);
    await Promise.all([listTools(), listTools(), listTools()]);
    expect(fetches()).toBe(1);
  });

  it('are fetched for the others when one gives up (CLI-18)', async () => {
    await boot(MODERN);
    const stop = new AbortController();
    const given = customer.client.listTools({ signal: stop.signal });
    const other = customer.client.listTools();
    stop.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    await expect(other).resolves.toEqual(expect.arrayContaining([expect.objectContaining({ name: 'add' })]));
  });
});
