import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { initialize, type SessionClient } from '../../../support/clients/json-rpc.js';
import { announce, Audience } from '../../../support/cluster/audience.js';
import { CallLoad } from '../../../support/cluster/call-load.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { until } from '../../../support/until.js';

const LONG_MS = 60_000;

const begin = endAfterEach();

describe('A process that is stopped for a while, and continued', () => {
  it('hinders no other, and then tells its clients all that they missed, once (RELAY-03) (RELAY-07)', async () => {
    const cluster = await begin(ProcessCluster.start());
    const audience = await begin(Audience.open([0, 0, 1, 1, 2, 2].map((index) => cluster.urlOf(index))));
    await announce(cluster.urlOf(0), { count: 50 });
    await audience.heard(50);
    // As a balancer does that finds out.
    cluster.balancer.leaveOut(1);
    cluster.at(1).signal('SIGSTOP');
    const load = await begin(CallLoad.start(cluster.url, { repeats: 0 }));
    await announce(cluster.urlOf(2), { count: 200, from: 51, intervalMs: 20 });
    await load.goOn();
    const others = audience.streams.filter((_, index) => index < 2 || index > 3);
    await until(() => others.every(({ numbers }) => numbers.at(-1) === 250), 'what others hear', LONG_MS);
    cluster.at(1).signal('SIGCONT');
    cluster.balancer.takeIn(1);
    await audience.heard(250);
    await announce(cluster.urlOf(1), { count: 10, from: 251 });
    await audience.heard(260);
    await load.goOn();
    expect(audience.histories).toEqual([range(1, 260)]);
    expect(load.failures).toEqual([]);
  }, 180_000);

  it('loses to others the stream that its client comes back for there (RELAY-03) (RELAY-04)', async () => {
    const cluster = await begin(ProcessCluster.start());
    const session = await initialize(cluster.urlOf(1));
    const first = await session.openStream();
    await announce(cluster.urlOf(0), { count: 5 });
    await until(() => first.messages.length >= 5, 'the first numbers', LONG_MS);
    cluster.at(1).signal('SIGSTOP');
    const second = await session.at(cluster.urlOf(0)).openStream({ lastEventId: first.lastEventId });
    await announce(cluster.urlOf(2), { count: 5, from: 6 });
    await until(() => second.messages.length >= 5, 'the other numbers', LONG_MS);
    cluster.at(1).signal('SIGCONT');
    await announce(cluster.urlOf(1), { count: 5, from: 11 });
    await until(() => second.messages.length >= 10, 'the last numbers', LONG_MS);
    expect(second.messages.map(({ params }) => params?.['data'])).toEqual(range(6, 15).map((n) => ({ n })));
    await Promise.all([first.close(), second.close()]);
  }, 180_000);
});

/** Makes a call that lets its connection go, and gives the id to come back to. */
async function letGo(session: SessionClient, name: string, ms: number): Promise<string | undefined> {
  const params = { name: 'letGo', arguments: { ms, name }, _meta: { progressToken: name } };
  const stream = await session.start('tools/call', params).stream();
  await stream.ended;
  return stream.lastEventId;
}

/** Comes back for a call, and gives what it was answered with. */
async function comeBack(session: SessionClient, lastEventId: string | undefined): Promise<object> {
  const stream = await session.openStream({ lastEventId });
  const answer = await stream.nextMessage(({ method }) => method === undefined, LONG_MS);
  await stream.close();
  return answer;
}

const GONE = { error: { data: { reason: 'process-gone' } } };
const answered = (name: string) => ({
  result: { content: [{ text: expect.stringMatching(new RegExp(`^let go ${name}`)) }] },
});

describe('The calls of a process that is stopped for a while', () => {
  it('are answered by it when it goes on, to clients that came back elsewhere meanwhile (RELAY-05)', async () => {
    const cluster = await begin(ProcessCluster.start({ count: 2, environment: { DEAD_AFTER_MS: '60000' } }));
    const session = await initialize(cluster.urlOf(0));
    const lastEventId = await letGo(session, 'kept', 1);
    cluster.at(0).signal('SIGSTOP');
    const back = comeBack(session.at(cluster.urlOf(1)), lastEventId);
    // It takes a while until anybody thinks of anything.
    await delay(7000);
    cluster.at(0).signal('SIGCONT');
    expect(await back).toMatchObject(answered('kept'));
  }, 120_000);

  it('are over for the others after "deadAfterMs", until it is back (RELAY-05)', async () => {
    const cluster = await begin(ProcessCluster.start({ count: 2, environment: { DEAD_AFTER_MS: '1500' } }));
    const session = await initialize(cluster.urlOf(0));
    const [one, two] = [await letGo(session, 'one', 1), await letGo(session, 'two', 1)];
    cluster.at(0).signal('SIGSTOP');
    const elsewhere = session.at(cluster.urlOf(1));
    expect(await comeBack(elsewhere, one)).toMatchObject(GONE);
    cluster.at(0).signal('SIGCONT');
    const isBack = async () => !('error' in (await comeBack(elsewhere, two)));
    await until(isBack, 'an answer of the process', LONG_MS);
    expect((await session.request('tools/call', { name: 'where' })).status).toBe(200);
  }, 120_000);

  it('leave a standing stream to whoever opens it elsewhere, without an id to go on from (RELAY-04)', async () => {
    const cluster = await begin(ProcessCluster.start({ count: 2, environment: { DEAD_AFTER_MS: '60000' } }));
    const session = await initialize(cluster.urlOf(0), { version: '2025-06-18' });
    const first = await session.openStream();
    cluster.at(0).signal('SIGSTOP');
    const second = await session.at(cluster.urlOf(1)).openStream();
    await announce(cluster.urlOf(1), { count: 3 });
    await until(() => second.messages.length >= 3, 'the numbers', LONG_MS);
    cluster.at(0).signal('SIGCONT');
    await first.ended;
    await announce(cluster.urlOf(0), { count: 3, from: 4 });
    await until(() => second.messages.length >= 6, 'the other numbers', LONG_MS);
    expect(second.messages.map(({ params }) => params?.['data'])).toEqual(range(1, 6).map((n) => ({ n })));
    await second.close();
  }, 120_000);
});
