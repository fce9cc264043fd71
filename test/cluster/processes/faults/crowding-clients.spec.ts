import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { initialize, type SessionClient } from '../../../support/clients/json-rpc.js';
import { announce } from '../../../support/cluster/audience.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { until } from '../../../support/until.js';

const LONG_MS = 60_000;
/** Far more than a client may add to the log while this takes, on a slow machine too. */
const RETENTION = 2_000;
/** More than the log keeps, though it is trimmed roughly. */
const MANY = 2 * RETENTION;
const AT_ONCE = 60;

let cluster: ProcessCluster;

beforeEach(async () => {
  cluster = await ProcessCluster.start({ environment: { RETENTION: `${RETENTION}` } });
}, 120_000);

afterEach(() => cluster.stop(), 60_000);

async function flood(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let next = 0; next < count; next += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(next + index)));
  }
}

/** The same session by each of the processes in turn. */
const atEach = (session: SessionClient) => {
  const clients = cluster.processes.map(({ url }) => session.at(url));
  return (index: number) => clients[index % clients.length]!;
};

async function countWrites(): Promise<number> {
  const text = String(await cluster.redis.send('INFO', 'commandstats'));
  const [, calls = '0'] = /^cmdstat_xadd[^:]*:calls=(\d+)/m.exec(text) ?? [];
  return Number(calls);
}

describe('A client that does more than a log keeps, by all of three processes', () => {
  it('costs another one nothing that is away meanwhile: it gets every message (FAIR-03) (RELAY-03)', async () => {
    const away = await initialize(cluster.urlOf(0));
    const stream = await away.openStream();
    await announce(cluster.urlOf(1), { count: 5 });
    await until(() => stream.messages.length >= 5, 'the first numbers', LONG_MS);
    await stream.close();
    await announce(cluster.urlOf(1), { count: 5, from: 6 });
    const at = atEach(await initialize(cluster.urlOf(2)));
    const uri = 'cluster://watched';
    await flood(MANY, (index) => {
      const level = index % 2 === 0 ? 'debug' : 'error';
      if (index % 3 === 0) return at(index).request('resources/subscribe', { uri });
      if (index % 3 === 1) return at(index).request('resources/unsubscribe', { uri });
      return at(index).request('logging/setLevel', { level });
    });
    const back = await away.at(cluster.urlOf(2)).openStream({ lastEventId: stream.lastEventId });
    await announce(cluster.urlOf(0), { count: 5, from: 11 });
    await until(() => back.messages.length >= 10, 'what was missed', LONG_MS);
    expect(back.messages.map(({ params }) => params?.['data'])).toEqual(range(6, 15).map((n) => ({ n })));
    await back.close();
  }, 180_000);

  it('has Redis told nothing by ids that it makes up (FAIR-03) (RELAY-05)', async () => {
    const at = atEach(await initialize(cluster.urlOf(0)));
    await Promise.all([0, 1, 2].map((index) => at(index).request('ping')));
    const before = await countWrites();
    await flood(1200, (index) => {
      const member = index.toString(16).padStart(24, '0');
      if (index % 2 === 0) return at(index).post({ jsonrpc: '2.0', id: `${member}-abcdefgh-1`, result: {} });
      const progress = { progressToken: `${member}-abcdefgh-1`, progress: 1 };
      return at(index).notify('notifications/progress', progress);
    });
    // Whoever looks for one writes to whom it names.
    expect(await countWrites()).toBe(before);
    expect((await at(0).post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(200);
  }, 180_000);
});
