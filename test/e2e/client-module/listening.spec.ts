import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
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
      reconnect: { initialDelayMs: 1, maximumAttempts: 2 },
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
        /^The client "shop" is not told of changes, so that lists may be stale and subscriptions silent: .*no streams today/,
      ),
    ]);
  });
});
