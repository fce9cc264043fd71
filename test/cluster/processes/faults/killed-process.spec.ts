import { describe, expect, it } from '@jest/globals';
import { announce, Audience } from '../../../support/cluster/audience.js';
import { CallLoad } from '../../../support/cluster/call-load.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { until } from '../../../support/until.js';

const CLIENTS = 40;
const LAST = 400;
const LONG_MS = 60_000;

const begin = endAfterEach();

/** Waits until somebody has heard a number. */
async function begun(audience: Audience, n: number): Promise<void> {
  await until(() => audience.streams.some(({ numbers }) => (numbers.at(-1) ?? 0) >= n), 'numbers', LONG_MS);
}

describe('One of three processes that is killed under load', () => {
  it('takes no message with it, nor a call that is made again, of the fixture (RELAY-03) (RELAY-01)', async () => {
    const cluster = await begin(ProcessCluster.start({ program: 'fixture' }));
    const audience = await begin(Audience.openMany(cluster.url, CLIENTS));
    const load = await begin(CallLoad.start(cluster.url, { tool: 'test_simple_text' }));
    const announced = announce(cluster.urlOf(0), { count: LAST, intervalMs: 10 }, 'test_announce');
    await begun(audience, LAST / 4);
    await load.allowFailuresDuring(() => cluster.at(1).stop('SIGKILL'));
    await load.goOn();
    await announced;
    await audience.heard(LAST);
    await load.goOn();
    expect(audience.histories).toEqual([range(1, LAST)]);
    expect(load.failures).toEqual([]);
    expect(audience.streams.reduce((sum, { returns }) => sum + returns, 0)).toBeGreaterThan(0);
  }, 180_000);

  it('leaves the same history to everybody, if it is the one that told it (RELAY-03)', async () => {
    const cluster = await begin(ProcessCluster.start());
    const audience = await begin(Audience.openMany(cluster.url, 12));
    const load = await begin(CallLoad.start(cluster.url));
    const announced = announce(cluster.urlOf(0), { count: LAST, intervalMs: 10 }).catch(String);
    await begun(audience, LAST / 4);
    await load.allowFailuresDuring(() => cluster.at(0).stop('SIGKILL'));
    await announced;
    // Whoever was connected to it comes back, and has then heard what the others have.
    const newest = () => audience.streams.map(({ numbers }) => numbers.at(-1) ?? 0);
    await until(
      () => new Set(newest()).size === 1,
      () => `one history, not ${newest().join()}`,
      LONG_MS,
    );
    const [last = 0] = newest();
    await announce(cluster.urlOf(1), { count: LAST - last, from: last + 1 });
    await audience.heard(LAST);
    expect(audience.histories).toEqual([range(1, LAST)]);
    expect(load.failures).toEqual([]);
  }, 180_000);

  it('is replaced by another one, which serves its sessions (RELAY-03) (RELAY-01)', async () => {
    const cluster = await begin(ProcessCluster.start());
    const audience = await begin(Audience.openMany(cluster.url, 12));
    for (const index of [0, 1, 2]) {
      const from = 1 + index * 20;
      await announce(cluster.url, { count: 10, from });
      await cluster.at(index).stop('SIGKILL');
      await announce(cluster.url, { count: 10, from: from + 10 });
      await cluster.replace(index);
      await audience.heard(from + 19);
    }
    expect(audience.histories).toEqual([range(1, 60)]);
  }, 180_000);
});
