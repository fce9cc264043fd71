import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { initialize } from '../../../support/clients/json-rpc.js';
import { callToolIn } from '../../../support/clients/tools.js';
import { Audience } from '../../../support/cluster/audience.js';
import { CallLoad } from '../../../support/cluster/call-load.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { within } from '../../../support/until.js';

/** What the processes have to themselves between two announcements. */
const PAUSE_MS = 10;
/** How long a process may take to end, on a machine that does much else. */
const END_MS = 20_000;

const begin = endAfterEach();

/** Announces number after number, each by a call of its own, until it is told to stop; gives the last one then. */
async function keepAnnouncing(url: string): Promise<() => Promise<number>> {
  const session = await initialize(url);
  let n = 0;
  const over = new AbortController();
  const running = (async () => {
    while (!over.signal.aborted) {
      await callToolIn(session, 'announce', { count: 1, from: (n += 1) });
      await delay(PAUSE_MS);
    }
    return n;
  })();
  running.catch(() => undefined);
  return () => {
    over.abort();
    return running;
  };
}

/** Has a process end as a deployment does: the balancer leaves it out, and then it is told. */
async function terminate(cluster: ProcessCluster, index: number, load: CallLoad): Promise<number | null> {
  cluster.balancer.leaveOut(index);
  await load.goOn();
  cluster.at(index).signal('SIGTERM');
  return cluster.at(index).exitCode(END_MS);
}

/** What one process tells may overtake what another has told before: everybody hears all in the same order, whichever that is. */
async function expectAllHeard(audience: Audience, last: number): Promise<void> {
  await audience.heardMany(last);
  const [history = [], ...others] = audience.histories;
  expect(others).toEqual([]);
  expect(history.toSorted((one, other) => one - other)).toEqual(range(1, last));
}

describe('Processes that are told to end by SIGTERM, under load', () => {
  it('send their clients elsewhere: no call fails, and no message is lost (RELAY-08) (RELAY-03)', async () => {
    const cluster = await begin(ProcessCluster.start());
    const audience = await begin(Audience.openMany(cluster.url, 12));
    const load = await begin(CallLoad.start(cluster.url, { repeats: 0 }));
    const finish = await keepAnnouncing(cluster.url);
    await load.goOn();
    expect(await terminate(cluster, 1, load)).toBe(0);
    await load.goOn();
    const last = await finish();
    await expectAllHeard(audience, last);
    expect(load.failures).toEqual([]);
  }, 180_000);

  it('can all be replaced, one after the other (RELAY-08) (RELAY-03)', async () => {
    const cluster = await begin(ProcessCluster.start());
    const audience = await begin(Audience.openMany(cluster.url, 12));
    const load = await begin(CallLoad.start(cluster.url, { repeats: 0 }));
    const finish = await keepAnnouncing(cluster.url);
    for (const index of [0, 1, 2]) {
      await terminate(cluster, index, load);
      await cluster.replace(index);
      cluster.balancer.takeIn(index);
      await load.goOn();
    }
    const last = await finish();
    await expectAllHeard(audience, last);
    expect(load.failures).toEqual([]);
  }, 240_000);

  it('say when to come back at the end of a standing stream (RELAY-08)', async () => {
    const cluster = await begin(ProcessCluster.start({ count: 2 }));
    const stream = await (await initialize(cluster.urlOf(0))).openStream();
    await stream.next(({ id }) => id !== undefined);
    cluster.at(0).signal('SIGTERM');
    await within(stream.ended, 'the end of the stream', END_MS);
    expect(stream.events.some(({ retry }) => retry !== undefined)).toBe(true);
    expect(stream.response.complete).toBe(true);
  }, 120_000);

  it('leave what nobody has fetched of a call that was answered to the others (RELAY-05) (RELAY-08)', async () => {
    const cluster = await begin(ProcessCluster.start({ count: 2 }));
    const session = await initialize(cluster.urlOf(0));
    const params = { name: 'letGo', arguments: { ms: 1, name: 'left' }, _meta: { progressToken: 't' } };
    const stream = await session.start('tools/call', params).stream();
    await stream.ended;
    // The call is over before what its process is asked later.
    for (let count = 0; count < 3; count += 1) await session.request('ping');
    cluster.at(0).signal('SIGTERM');
    await cluster.at(0).exitCode(END_MS);
    const back = await session.at(cluster.urlOf(1)).openStream({ lastEventId: stream.lastEventId });
    const message = await back.nextMessage(({ method }) => method === undefined, END_MS);
    const content = [{ text: expect.stringMatching(/^let go left/) }];
    expect(message).toMatchObject({ result: { content } });
    await back.close();
  }, 120_000);
});
