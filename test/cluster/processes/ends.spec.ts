import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until, within } from '../../support/until.js';

const LONG_MS = 30_000;
/** Longer than a machine that does much else takes for a call. */
const IDLE_MS = 8_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

async function statusOf(session: SessionClient): Promise<number> {
  return (await session.request('ping')).status;
}

/** Waits until each process knows that a session has ended. */
async function awaitEnd(session: SessionClient): Promise<void> {
  for (const { url } of cluster.processes) {
    const there = session.at(url);
    await until(async () => (await statusOf(there)) === 404, 'the end of a session', LONG_MS);
  }
}

describe('A session that is ended by DELETE in one process', () => {
  it('is ended in all, with its streams and calls (RELAY-06)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const standing = await session.at(cluster.urlOf(1)).openStream();
    const params = { name: 'hold', arguments: { name: 'deleted' }, _meta: { progressToken: 't' } };
    const call = await session.at(cluster.urlOf(2)).start('tools/call', params).stream();
    await call.nextNotification('notifications/progress', LONG_MS);
    expect((await session.delete()).status).toBeLessThan(300);
    await awaitEnd(session);
    await within(Promise.all([standing.ended, call.ended]), 'the end of its streams', LONG_MS);
    await cluster.at(2).prints('aborted deleted.');
  });

  it('is ended for processes that start later (RELAY-06)', async () => {
    const session = await initialize(cluster.urlOf(0));
    expect(await callToolIn(session.at(cluster.urlOf(1)), 'where')).toBe(String(cluster.at(1).pid));
    await session.delete();
    const other = await initialize(cluster.urlOf(0));
    await cluster.at(2).stop('SIGKILL');
    const { url } = await cluster.replace(2);
    expect(await statusOf(session.at(url))).toBe(404);
    expect(await statusOf(other.at(url))).toBe(200);
  }, 60_000);

  it('is not taken up again by its id, though another request is on its way (RELAY-06)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const requests = Array.from({ length: 30 }, (_, index) =>
      session.at(cluster.urlOf(index % 3)).request('ping'),
    );
    await session.delete();
    await Promise.all(requests);
    await awaitEnd(session);
    expect(await Promise.all(cluster.processes.map(({ url }) => statusOf(session.at(url))))).toEqual([
      404, 404, 404,
    ]);
  });
});

describe('A session whose time is over', () => {
  it('ends in all processes if nobody used it in any, and lives on by use in one (RELAY-06)', async () => {
    const brief = await ProcessCluster.start({
      redis: cluster.redis,
      environment: { PREFIX: 'brief', IDLE_MS: String(IDLE_MS) },
    });
    try {
      const [idle, used] = [await initialize(brief.urlOf(0)), await initialize(brief.urlOf(0))];
      await callToolIn(idle.at(brief.urlOf(1)), 'where');
      const begun = performance.now();
      while (performance.now() - begun < IDLE_MS * 1.5) {
        expect(await callToolIn(used.at(brief.urlOf(1)), 'where')).toBe(String(brief.at(1).pid));
      }
      for (const index of [0, 1, 2]) expect(await statusOf(idle.at(brief.urlOf(index)))).toBe(404);
      for (const index of [2, 0, 1]) expect(await statusOf(used.at(brief.urlOf(index)))).toBe(200);
    } finally {
      await brief.stop();
    }
  }, 120_000);
});
