import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, perRequest } from '../support/clients/json-rpc.js';
import { callToolIn } from '../support/clients/tools.js';
import { ProcessCluster } from '../support/cluster/process-cluster.js';

const CALLS = 1_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start({ count: 2 });
}, 120_000);

afterAll(() => cluster.stop());

/** Counts the commands that Redis was sent, those of this count not among them. */
async function countCommands(): Promise<number> {
  const text = String(await cluster.redis.send('INFO', 'commandstats'));
  const counts = [...text.matchAll(/^cmdstat_(\w+)[^:]*:calls=(\d+)/gm)];
  return counts.reduce((sum, [, name, calls]) => sum + (name === 'info' ? 0 : Number(calls)), 0);
}

/** Counts the commands while something happens. What processes send by themselves, such as signs of life, is among them. */
async function countDuring(act: () => Promise<unknown>): Promise<number> {
  const before = await countCommands();
  await act();
  return (await countCommands()) - before;
}

describe('A thousand calls', () => {
  // What is sent from time to time is far less than what one command for each call would be, however slow the machine is.
  it('in a session that the process knows send nothing to Redis (RELAY-02)', async () => {
    const session = (await initialize(cluster.urlOf(0))).at(cluster.urlOf(1));
    await callToolIn(session, 'where');
    const sent = await countDuring(async () => {
      for (let count = 0; count < CALLS; count += 1) await callToolIn(session, 'where');
    });
    expect(sent).toBeLessThan(CALLS / 4);
  }, 120_000);

  it('that need no session send nothing to Redis (RELAY-02)', async () => {
    const client = perRequest(cluster.urlOf(0));
    const sent = await countDuring(async () => {
      for (let count = 0; count < CALLS; count += 1) await client.request('tools/call', { name: 'where' });
    });
    expect(sent).toBeLessThan(CALLS / 4);
  }, 120_000);

  it('that report progress and log, in a session, send nothing to Redis (RELAY-02)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const params = { name: 'steps', arguments: { count: 3 }, _meta: { progressToken: 't' } };
    const sent = await countDuring(async () => {
      for (let count = 0; count < CALLS; count += 1) await session.request('tools/call', params);
    });
    expect(sent).toBeLessThan(CALLS / 4);
  }, 120_000);
});

describe('What all are told', () => {
  it('is written once, however many sessions are idle (RELAY-02)', async () => {
    const caller = await initialize(cluster.urlOf(0));
    const announce = () => countDuring(() => callToolIn(caller, 'announce', { count: 200 }));
    const withFew = await announce();
    for (let count = 0; count < 200; count += 1) await initialize(cluster.urlOf(count % 2));
    const withMany = await announce();
    expect(withMany).toBeLessThan(withFew * 2 + 200);
  }, 120_000);
});
