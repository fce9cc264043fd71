import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialize } from '../../support/clients/json-rpc.js';
import { callToolIn } from '../../support/clients/tools.js';
import { KeptStream, range } from '../../support/cluster/kept-stream.js';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { until } from '../../support/until.js';

const LONG_MS = 60_000;

let cluster: ProcessCluster;

beforeAll(async () => {
  cluster = await ProcessCluster.start();
}, 120_000);

afterAll(() => cluster.stop());

describe('A client that comes back for its standing stream', () => {
  it('gets in another process what it missed, in order and once (RELAY-03)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const first = await session.openStream();
    await callToolIn(session, 'announce', { count: 5 });
    await until(() => first.messages.length >= 5, 'what was announced', LONG_MS);
    const seen = first.events.find(({ data = '' }) => data.includes('"n":3'));
    await first.close();
    await callToolIn(session.at(cluster.urlOf(2)), 'announce', { count: 5, from: 6 });
    const second = await session.at(cluster.urlOf(1)).openStream({ lastEventId: seen?.id });
    await until(() => second.messages.length >= 7, 'what was missed', LONG_MS);
    await callToolIn(session, 'announce', { count: 1, from: 11 });
    await until(() => second.messages.length >= 8, 'what came after', LONG_MS);
    expect(second.messages.map(({ params }) => params?.['data'])).toEqual(range(4, 11).map((n) => ({ n })));
    await second.close();
  });

  it('gets messages with the ids that other clients got (RELAY-03)', async () => {
    const sessions = await Promise.all(cluster.processes.map(({ url }) => initialize(url)));
    const streams = await Promise.all(sessions.map((session) => KeptStream.open(session)));
    const [early] = streams;
    const before = early?.lastEventId;
    // A process that is a little late gives its session what came before it, too.
    await callToolIn(sessions[0]!, 'announce', { count: 10, from: 101 });
    await until(() => streams.every(({ numbers }) => numbers.at(-1) === 110), 'all numbers', LONG_MS);
    const ids = streams.map(({ heard }) => heard.slice(-10).map(({ id }) => id));
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    await early?.close();
    const again = await sessions[0]!.at(cluster.urlOf(2)).openStream({ lastEventId: before });
    const listAgain = () => again.events.flatMap(({ id, data = '' }) => (data === '' ? [] : [id]));
    await until(() => listAgain().at(-1) === ids[0]?.at(-1), 'all numbers again', LONG_MS);
    expect(listAgain().slice(-10)).toEqual(ids[0]);
    await again.close();
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('misses nothing, however often it moves while others announce (RELAY-03)', async () => {
    const sessions = await Promise.all(Array.from({ length: 6 }, () => initialize(cluster.url)));
    const streams = await Promise.all(sessions.map((session) => KeptStream.open(session)));
    const caller = await initialize(cluster.url);
    const announcing = callToolIn(caller, 'announce', { count: 200, intervalMs: 5 });
    const over = new AbortController();
    void announcing.finally(() => over.abort()).catch(() => undefined);
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const stream = streams[turn % streams.length]!;
      const returns = stream.returns;
      stream.lose();
      await until(() => stream.returns > returns, 'the way back', LONG_MS);
    }
    await announcing;
    await until(() => streams.every(({ numbers }) => numbers.at(-1) === 200), 'the last', LONG_MS);
    for (const { numbers } of streams) expect(numbers).toEqual(range(1, 200));
    await Promise.all(streams.map((stream) => stream.close()));
  }, 120_000);

  it('hears of updates alone that it had subscribed to, in the order of log entries (RELAY-03)', async () => {
    const [watcher, listener] = [await initialize(cluster.urlOf(0)), await initialize(cluster.urlOf(1))];
    await watcher.request('resources/subscribe', { uri: 'cluster://watched' });
    const streams = [await KeptStream.open(watcher), await KeptStream.open(listener)];
    streams.forEach((stream) => stream.lose());
    await callToolIn(await initialize(cluster.urlOf(2)), 'announce', { count: 20, from: 301 });
    await until(() => streams.every(({ numbers }) => numbers.at(-1) === 320), 'all numbers', LONG_MS);
    const update = 'notifications/resources/updated';
    await until(() => streams[0]!.count(update) === 20, 'all updates', LONG_MS);
    const last = streams[0]!.heard.slice(-40);
    const order = last.map(({ message }) => (message.method === update ? 'u' : 'n')).join('');
    expect(order).toBe('nu'.repeat(20));
    expect(streams[1]!.count(update)).toBe(0);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('is told by a change of each list that there is if its place is in no log (RELAY-03)', async () => {
    const session = await initialize(cluster.urlOf(0));
    const stream = await KeptStream.open(session);
    const epoch = /^(.+):\d+$/.exec(stream.lastEventId ?? '')?.[1];
    await stream.close();
    expect(epoch).toBeDefined();
    const lost = await session.at(cluster.urlOf(1)).openStream({ lastEventId: `x${epoch}:1` });
    for (const list of ['tools', 'prompts', 'resources']) {
      await until(
        () => lost.messages.some(({ method }) => method === `notifications/${list}/list_changed`),
        `a change of ${list}`,
        LONG_MS,
      );
    }
    await lost.close();
  });
});
