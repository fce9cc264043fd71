import { describe, expect, it } from '@jest/globals';
import { initialize } from '../../../support/clients/json-rpc.js';
import { callToolIn } from '../../../support/clients/tools.js';
import { announce, Audience } from '../../../support/cluster/audience.js';
import { endAfterEach } from '../../../support/cluster/end-after-each.js';
import { KeptStream, range } from '../../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { until } from '../../../support/until.js';

const LONG_MS = 60_000;
const QUEUED_BYTES = 64 * 1024;

const begin = endAfterEach();

describe('A log that was trimmed while a client was away', () => {
  it('has the client told so, by a change of each list that there is and updates of what it subscribed to (RELAY-03)', async () => {
    const cluster = await begin(ProcessCluster.start({ environment: { RETENTION: '100' } }));
    const session = await initialize(cluster.urlOf(0));
    await session.request('resources/subscribe', { uri: 'cluster://watched' });
    const stream = await KeptStream.open(session);
    await announce(cluster.urlOf(0), { count: 10 });
    await until(() => stream.numbers.length === 10, 'the first numbers', LONG_MS);
    await stream.close();
    // A log is trimmed roughly: it may keep some more than it should.
    await announce(cluster.urlOf(1), { count: 3_000, from: 11 });
    const back = await session.at(cluster.urlOf(2)).openStream({ lastEventId: stream.lastEventId });
    const methods = [
      ...['tools', 'prompts', 'resources'].map((list) => `notifications/${list}/list_changed`),
      'notifications/resources/updated',
    ];
    for (const method of methods) {
      await until(() => back.messages.some((message) => message.method === method), method, LONG_MS);
    }
    await announce(cluster.urlOf(1), { count: 1, from: 5_000 });
    const last = { method: 'notifications/message', params: { data: { n: 5_000 } } };
    const find = () => back.messages.find(({ params }) => JSON.stringify(params?.['data']) === '{"n":5000}');
    expect(await until(find, 'what comes after', LONG_MS)).toMatchObject(last);
    await back.close();
  }, 180_000);
});

describe('A client that does not read', () => {
  it('costs the process of its stream no memory, and its neighbors nothing (RELAY-07) (RELAY-03)', async () => {
    const cluster = await begin(
      ProcessCluster.start({
        environment: { QUEUED_BYTES: String(QUEUED_BYTES) },
        nodeOptions: ['--expose-gc'],
      }),
    );
    const audience = await begin(Audience.open([1, 1, 2].map((index) => cluster.urlOf(index))));
    const session = await initialize(cluster.urlOf(1));
    const slow = await session.openStream();
    await slow.next(({ id }) => id !== undefined);
    slow.response.socket.pause();
    slow.response.pause();
    const measure = async (): Promise<number> =>
      (JSON.parse(await callToolIn(session, 'figures')) as { heapBytes: number }).heapBytes;
    const before = await measure();
    await announce(cluster.urlOf(0), { count: 2_000, padding: 10_000 });
    await audience.heard(2_000);
    expect(audience.histories).toEqual([range(1, 2_000)]);
    // Twenty megabytes went by.
    expect((await measure()) - before).toBeLessThan(15_000_000);
    await slow.close();
    const back = await session.at(cluster.urlOf(2)).openStream({ lastEventId: slow.lastEventId });
    await until(
      () => back.messages.some(({ params }) => JSON.stringify(params?.['data'] ?? '').includes('"n":2000')),
      'the last number',
      LONG_MS,
    );
    await back.close();
  }, 180_000);
});

describe('Ten thousand messages in a row', () => {
  /**
   * A machine that is busy holds up a stream, Redis or a process for seconds. The log keeps all of the messages, each with an update, so
   * that a stream that was closed meanwhile can be resumed, and nobody gives up on Redis or on another process.
   */
  const PATIENT = { RETENTION: '40000', COMMAND_TIMEOUT_MS: '120000', DEAD_AFTER_MS: '120000' };
  const COUNT = 10_000;

  async function beginPatient() {
    const cluster = await begin(ProcessCluster.start({ environment: PATIENT }));
    const audience = await begin(Audience.open([0, 1, 2].map((index) => cluster.urlOf(index))));
    return { cluster, audience };
  }

  it('reach every stream of every process, in order and once (RELAY-03) (RELAY-07)', async () => {
    const { cluster, audience } = await beginPatient();
    // All at once are as many writes as may wait for Redis: one more would be refused.
    const half = COUNT / 2;
    await announce(cluster.urlOf(0), { count: half });
    await audience.heard(half);
    await announce(cluster.urlOf(0), { count: half, from: half + 1 });
    await audience.heard(COUNT);
    expect(audience.histories).toEqual([range(1, COUNT)]);
  }, 300_000);

  it('that several processes tell at once reach all in one order (RELAY-03)', async () => {
    const { cluster, audience } = await beginPatient();
    await Promise.all(
      [0, 1, 2].map((index) => announce(cluster.urlOf(index), { count: 1_000, from: 1 + index * 1_000 })),
    );
    await audience.heardMany(3_000);
    const [history = [], ...others] = audience.histories;
    expect(others).toEqual([]);
    expect(history.toSorted((one, other) => one - other)).toEqual(range(1, 3_000));
  }, 300_000);
});
