import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const CALLS = 300;
const SESSIONS = 300;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ count: 2 });
}, 120_000);

afterAll(() => cluster.stop());

/**
 * What a call would show by: everything that is published, told or asked is an `XADD`, a record is read by `HGETALL` and changed by
 * `HSET` or `HDEL`, and whoever asks a process looks by `ZSCORE` whether it lives. Signs of life and the reading of the log are other commands.
 */
const OF_CALLS = ['xadd', 'hgetall', 'hset', 'hdel', 'zscore'];

async function count(names: readonly string[]): Promise<number> {
  const text = String(await cluster.redis.send('INFO', 'commandstats'));
  const counts = [...text.matchAll(/^cmdstat_(\w+)[^:]*:calls=(\d+)/gm)];
  return counts.reduce((sum, [, name = '', calls]) => sum + (names.includes(name) ? Number(calls) : 0), 0);
}

/** Counts commands while something happens. */
async function countDuring(names: readonly string[], act: () => Promise<unknown>): Promise<number> {
  const before = await count(names);
  await act();
  return (await count(names)) - before;
}

describe('Hundreds of calls', () => {
  it('in a session that the process knows send nothing to Redis (RELAY-02)', async () => {
    const session = (await initialize(cluster.urlOf(0))).at(cluster.urlOf(1));
    await callToolIn(session, 'where');
    const sent = await countDuring(OF_CALLS, async () => {
      for (let call = 0; call < CALLS; call += 1) await callToolIn(session, 'where');
    });
    expect(sent).toBe(0);
  }, 120_000);

  it('that need no session send nothing to Redis (RELAY-02)', async () => {
    const client = perRequest(cluster.urlOf(0));
    const sent = await countDuring(OF_CALLS, async () => {
      for (let call = 0; call < CALLS; call += 1) await client.request('tools/call', { name: 'where' });
    });
    expect(sent).toBe(0);
  }, 120_000);

  it('that report progress and log, in a session, send nothing to Redis (RELAY-02)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const params = { name: 'steps', arguments: { count: 3 }, _meta: { progressToken: 't' } };
    const sent = await countDuring(OF_CALLS, async () => {
      for (let call = 0; call < CALLS; call += 1) await session.request('tools/call', params);
    });
    expect(sent).toBe(0);
  }, 120_000);
});

describe('What all are told', () => {
  it('is written once, however many sessions are idle (RELAY-02)', async () => {
    const caller = await initialize(cluster.urlOf(0));
    // Each number is two messages.
    const announce = () =>
      countDuring(['xadd'], async () => {
        await callToolIn(caller, 'announce', { count: 200 });
        await until(async () => (await count(['xadd'])) - written >= 400, 'all of it to be written', 30_000);
      });
    let written = await count(['xadd']);
    const withFew = await announce();
    for (let index = 0; index < SESSIONS; index += 1) await initialize(cluster.urlOf(index % 2));
    written = await count(['xadd']);
    const withMany = await announce();
    expect([withFew, withMany]).toEqual([400, 400]);
  }, 120_000);
});
