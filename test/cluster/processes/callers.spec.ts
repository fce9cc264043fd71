import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { WAYS_TO_LISTEN } from '../../support/cluster/listening.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until, within } from '../../support/until.js';

const LONG_MS = 30_000;

let cluster: ProcessCluster;

const start = async () => void (cluster = await ProcessCluster.start({ environment: { AUTH: '1' } }));
const tokenOf = (subject: string) => ({ authorization: `Bearer token-of-${subject}-0123456789` });
const open = (index: number, subject: string) =>
  initialize(cluster.urlOf(index), { headers: tokenOf(subject) });
const statusOf = async (session: SessionClient) => (await session.request('ping')).status;

describe('What an application knows of sessions, in any process', () => {
  beforeEach(start, 120_000);
  afterEach(() => cluster.stop());

  it('is how many there are in all, each counted once (RELAY-11)', async () => {
    const sessions = await Promise.all([open(0, 'ada'), open(1, 'ada'), open(2, 'bob')]);
    // A session that two processes know is one.
    for (const session of sessions) await callToolIn(session.at(cluster.urlOf(0)), 'where');
    for (const index of [0, 1, 2]) {
      const there = sessions[2].at(cluster.urlOf(index));
      expect(await callToolIn(there, 'countSessions')).toBe('3');
      expect(await callToolIn(there, 'countSessions', { subject: 'ada' })).toBe('2');
      expect((await callToolIn(there, 'listSessions', { subject: 'ada' })).split(',')).toHaveLength(2);
    }
  });

  it('lets it end one, by its key, wherever it is (RELAY-11) (RELAY-06)', async () => {
    const [ada, bob] = [await open(0, 'ada'), await open(2, 'bob')];
    const stream = await ada.at(cluster.urlOf(1)).openStream();
    const key = await callToolIn(bob, 'listSessions', { subject: 'ada' });
    expect(await callToolIn(bob, 'endSession', { session: key })).toBe('true');
    await within(stream.ended, 'the end of its stream', LONG_MS);
    for (const { url } of cluster.processes) {
      await until(async () => (await statusOf(ada.at(url))) === 404, 'the end of the session', LONG_MS);
      expect(await statusOf(bob.at(url))).toBe(200);
    }
  });

  it('lets it end all that a caller has, for later processes too (RELAY-11) (RELAY-06)', async () => {
    const adas = await Promise.all([0, 1, 2].map((index) => open(index, 'ada')));
    const bob = await open(1, 'bob');
    const params = { name: 'hold', arguments: { name: 'ada' }, _meta: { progressToken: 't' } };
    const call = await adas[2]!.start('tools/call', params).stream();
    await call.nextNotification('notifications/progress', LONG_MS);
    await callToolIn(bob, 'endCaller', { subject: 'ada' });
    await cluster.at(2).prints('aborted ada.');
    await cluster.at(0).stop('SIGKILL');
    await cluster.replace(0);
    for (const { url } of cluster.processes) {
      for (const ada of adas) {
        await until(async () => (await statusOf(ada.at(url))) === 404, 'the end of a session', LONG_MS);
      }
      expect(await statusOf(bob.at(url))).toBe(200);
    }
    expect(await statusOf(await open(1, 'ada'))).toBe(200);
  });
});

describe('What a caller has in several processes', () => {
  beforeAll(start, 120_000);
  afterAll(() => cluster.stop());

  it.each(WAYS_TO_LISTEN)('ends by word of any of them: %s (RELAY-11) (RELAY-06)', async (way, listen) => {
    const { origin } = cluster.at(1);
    const [adas, bobs] = await Promise.all(
      ['ada', 'bob'].map((subject) => listen(origin, { headers: tokenOf(subject) })),
    );
    await callToolIn(await open(0, 'bob'), 'endCaller', { subject: 'ada' });
    await within(adas!.ended, 'the end of the stream', LONG_MS);
    await callToolIn(await open(2, 'bob'), 'addTool', { name: way.replaceAll(/\W/g, '-') });
    expect(await bobs!.nextNotification('notifications/tools/list_changed', LONG_MS)).toBeDefined();
    await bobs!.close();
  });
});
