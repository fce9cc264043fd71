import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MetaKey } from '../../../lib/core/protocol/meta-keys.js';
import type { JsonObject } from '../../support/clients/message.js';
import { CapturedLog } from '../../unit/support/captured-log.js';
import { until } from '../../support/until.js';
import { bootCustomer, bootShop, type Customer, type RunningShop } from './shop.app.js';

const KEPT = { cache: { tools: { ttlMs: 60_000, scope: 'private' } } } as const;

/** A server that is asked to tell of changes, and does not answer that. */
const refuseToTell: typeof fetch = async (input, init) => {
  const isListen = typeof init?.body === 'string' && init.body.includes('"subscriptions/listen"');
  return isListen ? new Response('no streams today', { status: 500 }) : fetch(input, init);
};

describe('An injected client whose server tells nothing of changes', () => {
  let server: RunningShop;
  let customer: Customer;
  let log: CapturedLog;

  beforeEach(async () => {
    server = await bootShop(KEPT);
    customer = await bootCustomer({
      url: server.url,
      negotiation: { pin: '2026-07-28' },
      fetch: refuseToTell,
      reconnect: { initialDelayMs: 1, maxAttempts: 2 },
    });
    log = CapturedLog.begin();
  });
  afterEach(async () => {
    log.release();
    await customer.app.close();
    await server.close();
  });

  it('says why its lists may be stale, once it tries no more (CLI-18)', async () => {
    await customer.client.listTools();
    await until(() => log.warnings.length > 0, 'a warning');
    expect(log.warnings).toEqual([
      expect.stringMatching(
        /^The client "shop" is not notified of changes, so lists may be stale and subscriptions may miss updates: .*no streams today.* \[caller=- session=- address=- method=- target=-\]$/m,
      ),
    ]);
  });
});

describe('An injected client whose server has no stream left', () => {
  it('asks for one again when the server wants it to (CLI-18)', async () => {
    const server = await bootShop({ cache: { ...KEPT.cache, resources: KEPT.cache.tools } });
    const askedAt: number[] = [];
    const { client, app } = await bootCustomer({
      url: server.url,
      negotiation: { pin: '2026-07-28' },
      fetch: async (input, init) => {
        const isListen = typeof init?.body === 'string' && init.body.includes('"subscriptions/listen"');
        if (isListen) askedAt.push(performance.now());
        return askedAt.length === 1 && isListen
          ? new Response('too many', { status: 503, headers: { 'retry-after': '1' } })
          : fetch(input, init);
      },
      reconnect: { initialDelayMs: 1 },
    });
    await client.listTools();
    await until(() => askedAt.length === 1, 'the first attempt');
    await client.listResources();
    await until(() => askedAt.length === 2, 'the second attempt');
    await app.close();
    await server.close();
    const [first = 0, second = 0] = askedAt;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });
});

describe('An injected client whose streams end as soon as they stand', () => {
  it('opens the next one after a while (CLI-18)', async () => {
    const server = await bootShop(KEPT);
    const askedAt: number[] = [];
    const { client, app } = await bootCustomer({
      url: server.url,
      negotiation: { pin: '2026-07-28' },
      fetch: async (input, init) => {
        const message = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as JsonObject;
        if (message['method'] !== 'subscriptions/listen') return fetch(input, init);
        askedAt.push(performance.now());
        return createEndedStream(message['id']);
      },
      reconnect: { initialDelayMs: 1 },
    });
    await client.listTools();
    await until(() => askedAt.length === 2, 'the second stream');
    await app.close();
    await server.close();
    // Half of the wait is left to chance.
    const [first = 0, second = 0] = askedAt;
    expect(second - first).toBeGreaterThanOrEqual(450);
  });
});

/** A stream that is acknowledged and ended in one piece. */
function createEndedStream(id: unknown): Response {
  const _meta = { [MetaKey.subscriptionId]: id };
  const acknowledged = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta, notifications: { toolsListChanged: true } },
  };
  const ended = { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta } };
  const events = [acknowledged, ended].map(
    (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`,
  );
  return new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

describe('An injected client that keeps several lists', () => {
  it('tries again for all of them at once, and warns once (CLI-18)', async () => {
    const hint = { ttlMs: 60_000, scope: 'private' } as const;
    const server = await bootShop({ cache: { tools: hint, resources: hint } });
    let asked = 0;
    const { client, app } = await bootCustomer({
      url: server.url,
      negotiation: { pin: '2026-07-28' },
      fetch: (input, init) => {
        if (JSON.stringify(init?.body)?.includes('subscriptions/listen')) asked += 1;
        return refuseToTell(input, init);
      },
      reconnect: { initialDelayMs: 200, maxAttempts: 2 },
    });
    const log = CapturedLog.begin();
    await client.listTools();
    await client.listResources();
    await until(() => log.warnings.length > 0, 'a warning');
    log.release();
    await app.close();
    await server.close();
    expect([asked, log.warnings.length]).toEqual([3, 1]);
  });
});
