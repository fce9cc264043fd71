import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClusterRecordChange } from 'nestjs-mcp';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import { Topic } from '../../../../../lib/server/cluster/cluster-bus.js';
import { BoundedState } from '../../../../../lib/server/sessions/shared/bounded-state.js';
import { UpdateCollector } from '../../../../../lib/server/sessions/shared/update-collector.js';
import { SESSIONS_CHANGED } from '../../../../../lib/server/sessions/shared/session-change.js';
import { until } from '../../../../support/until.js';

const MARK = new Topic<object>('test.mark');
const EXPIRES = Date.now() + 600_000;

/** More than are told of together. */
const MANY = 2500;

const keysFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `session-${first + index}`);
const formatEnd = (key: string) => ({ key: `session:${key}`, set: { ended: '1' }, expires: EXPIRES });

/** Changes nothing before it is let. */
class SlowState extends BoundedState {
  isAsked = false;
  open = (): void => undefined;
  readonly #gate = new Promise<void>((resolve) => (this.open = resolve));

  override async change(change: ClusterRecordChange): Promise<boolean> {
    this.isAsked = true;
    await this.#gate;
    return super.change(change);
  }
}

/** Is out of reach for the first change. */
class FailingState extends BoundedState {
  #hasFailed = false;

  override async change(change: ClusterRecordChange): Promise<boolean> {
    if (this.#hasFailed) return super.change(change);
    this.#hasFailed = true;
    return false;
  }
}

describe('CollectedNews', () => {
  let cluster: MemoryCluster;
  let bus: DistributedBus;
  let other: DistributedBus;
  let news: UpdateCollector;
  let told: { records: string[]; roots: string[] };
  let marks: number;

  async function join(): Promise<DistributedBus> {
    const joined = new DistributedBus(cluster, '/mcp', new Keyring(['a secret of the tests']));
    await joined.onModuleInit();
    return joined;
  }

  beforeEach(async () => {
    cluster = memoryCluster();
    [bus, other] = [await join(), await join()];
    news = new UpdateCollector(bus, new BoundedState(bus));
    told = { records: [], roots: [] };
    marks = 0;
    other.on(SESSIONS_CHANGED, ({ records = [], roots = [] }) => {
      told.records.push(...records);
      told.roots.push(...roots);
    });
    other.on(MARK, () => void (marks += 1));
  });

  afterEach(async () => {
    cluster.heal();
    await Promise.all([bus, other].map((each) => each.onApplicationShutdown()));
  });

  async function reconnect(): Promise<void> {
    cluster.heal();
    await until(() => bus.isConnected, 'the engine');
  }

  /** Waits until the other process was told all that is in the log. */
  async function settle(): Promise<void> {
    const before = marks;
    await bus.publishFlushed(MARK, {});
    await until(() => marks > before, 'what is in the log');
  }

  it('tells all of it before its process leaves, however much that is (RELAY-06) (RELAY-08)', async () => {
    const keys = keysFrom(0, MANY);
    for (const key of keys) {
      void news.add(key, formatEnd(key));
      void news.addRoots(key);
    }
    await news.close();
    await settle();
    expect(told).toEqual({ records: keys, roots: keys });
    expect(await other.shared.find('session:session-2499')).toEqual({ ended: '1' });
  });

  it('says when the others were told of other roots, or could not be (RELAY-01) (RELAY-07)', async () => {
    await news.addRoots('session-1');
    await settle();
    expect(told.roots).toEqual(['session-1']);
    cluster.cut(bus.member);
    await news.addRoots('session-2');
    expect(told.roots).toEqual(['session-1']);
    await reconnect();
    await news.close();
    await settle();
    expect(told.roots).toEqual(['session-1', 'session-2']);
  });

  it('leaves no sooner than what is being told is told (RELAY-06) (RELAY-08)', async () => {
    const state = new SlowState(bus);
    const slow = new UpdateCollector(bus, state);
    void slow.add('session-1', formatEnd('session-1'));
    await until(() => state.isAsked, 'the change of the record');
    let isClosed = false;
    const closed = slow.close().then(() => (isClosed = true));
    await settle();
    expect([isClosed, told.records]).toEqual([false, []]);
    state.open();
    await closed;
    await settle();
    expect(told.records).toEqual(['session-1']);
  });

  it('writes again what could not be written, and tells it then (RELAY-07)', async () => {
    const failing = new UpdateCollector(bus, new FailingState(bus));
    await failing.add('session-1', formatEnd('session-1'));
    await settle();
    expect(told.records).toEqual([]);
    await until(() => told.records.length > 0, 'the change that failed');
    expect(told.records).toEqual(['session-1']);
    expect(await other.shared.find('session:session-1')).toEqual({ ended: '1' });
  });

  it('has nobody wait for less than that the own change was told (RELAY-03)', async () => {
    const keys = keysFrom(0, MANY);
    const all = keys.map((key) => news.add(key));
    await all.at(-1);
    await settle();
    expect(told.records).toEqual(keys);
  });

  it('has nobody wait for an engine that is out of reach, and tells it when that is back (RELAY-07)', async () => {
    cluster.cut(bus.member);
    await news.add('session-1', formatEnd('session-1'));
    await reconnect();
    await news.close();
    await settle();
    expect(told.records).toEqual(['session-1']);
    expect(await other.shared.find('session:session-1')).toEqual({ ended: '1' });
  });

  it('does not hurry while the engine is out of reach, however much waits (RELAY-07)', async () => {
    cluster.cut(bus.member);
    const all = keysFrom(0, MANY).map((key) => news.add(key));
    const begin = performance.now();
    await Promise.all(all);
    await news.add('session-1');
    expect(performance.now() - begin).toBeGreaterThan(900);
    await reconnect();
  });

  it('keeps a bounded number while the engine is out of reach, the latest of them (FAIR-03) (RELAY-07)', async () => {
    cluster.cut(bus.member);
    const all = keysFrom(0, 10_001).map((key) => [news.add(key), news.addRoots(key)]);
    // Nobody waits for what made room.
    await Promise.all(all[0]!);
    await reconnect();
    await news.close();
    await settle();
    expect(told).toEqual({ records: keysFrom(1, 10_000), roots: keysFrom(1, 10_000) });
  });
});
