import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import { SessionRegistry } from '../../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../../lib/server/sessions/session.js';
import { buildRestored } from '../../../../../lib/server/sessions/shared/restored-session.js';
import {
  SESSION_CHANGE,
  SESSIONS_CHANGED,
  type SessionChange,
} from '../../../../../lib/server/sessions/shared/session-change.js';
import { SessionUpdates } from '../../../../../lib/server/sessions/shared/session-updates.js';
import { until } from '../../../../support/until.js';
import { openSession } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const SECRET = 'a secret of the tests';

/** What one caller, and all known callers together, may have told alone. */
const [OF_A_CALLER, OF_ALL] = [200, 500];

describe('SessionNews', () => {
  let cluster: MemoryCluster;
  let bus: DistributedBus;
  let other: DistributedBus;
  let registry: SessionRegistry;
  let news: SessionUpdates;
  let alone: SessionChange[];
  let together: { records: string[]; roots: string[] };

  async function join(): Promise<DistributedBus> {
    const joined = new DistributedBus(cluster, '/mcp', new Keyring([SECRET]));
    await joined.onModuleInit();
    return joined;
  }

  beforeEach(async () => {
    cluster = memoryCluster();
    [bus, other] = [await join(), await join()];
    registry = new SessionRegistry(buildSettings({ secret: SECRET }), undefined, undefined, undefined, bus);
    news = new SessionUpdates(bus);
    [alone, together] = [[], { records: [], roots: [] }];
    other.on(SESSION_CHANGE, (change) => void alone.push(change));
    other.on(SESSIONS_CHANGED, ({ records = [], roots = [] }) => {
      together.records.push(...records);
      together.roots.push(...roots);
    });
  });

  afterEach(async () => {
    cluster.heal();
    registry.close();
    await Promise.all([bus, other].map((each) => each.onApplicationShutdown()));
  });

  function open(identity?: string): Session {
    const session = openSession(registry);
    if (identity !== undefined) registry.bind(session, identity);
    return session;
  }

  const tell = async (session: Session, characters?: number) =>
    news.take(session, characters)?.({ level: 'error' }, { set: { level: 'error' } });
  const readRecord = ({ key }: Session) => other.shared.find(`session:${key}`);

  /** Has a caller use up what it may have told alone. What it does in the same turn is beyond that, whatever the time is. */
  const useUp = (session: Session) => tell(session, 1024 * (OF_A_CALLER - 1));

  it('tells a change with its record, and whatever follows after it (RELAY-03)', async () => {
    const session = open('ada');
    await tell(session);
    await until(() => alone.length === 1, 'the change');
    expect(alone).toEqual([{ key: session.key, level: 'error' }]);
    expect(await readRecord(session)).toEqual({ level: 'error' });
  });

  it('tells nothing of a session that no other process can have (RELAY-02)', () => {
    const lasting = registry.open(
      { revision: open().revision, client: { capabilities: {} }, declared: {} },
      true,
    );
    expect(news.take(lasting)).toBeUndefined();
  });

  it('tells what one caller changes beyond its share together, when its record has it (FAIR-03) (RELAY-03)', async () => {
    const [first, bob, ...others] = [open('ada'), open('bob'), open('ada'), open('ada')];
    const told = [useUp(first), ...others.map((session) => tell(session)), tell(bob)];
    await Promise.all(told);
    await until(() => together.records.length === 2 && alone.length === 2, 'all of it');
    expect(together.records).toEqual(others.map(({ key }) => key));
    expect(alone.map(({ key }) => key)).toEqual([first.key, bob.key]);
    for (const session of others) expect(await readRecord(session)).toEqual({ level: 'error' });
  });

  it('counts sessions without a token each by itself, and long changes as several (FAIR-03)', async () => {
    const [one, two] = [open(), open()];
    await Promise.all([tell(one, 1024 * (OF_A_CALLER - 2)), tell(one, 1023), tell(one), tell(two)]);
    await until(() => alone.length === 3 && together.records.length === 1, 'all of it');
    expect(alone.map(({ key }) => key)).toEqual([one.key, one.key, two.key]);
    expect(together.records).toEqual([one.key]);
  });

  it('tells what all known callers change beyond their share together, and those of unknown address by themselves (FAIR-03)', async () => {
    const known = Array.from({ length: OF_ALL / 100 }, (_, index) => open(`caller ${index}`));
    const { revision } = open();
    const client = { capabilities: {} };
    const callers = [...known, registry.open({ revision, client, declared: {}, address: '192.0.2.1' })];
    const stranger = open();
    await Promise.all([...callers, stranger].map((session) => tell(session, 1024 * 99)));
    await until(() => alone.length === 6 && together.records.length === 1, 'all of it');
    expect(alone.map(({ key }) => key)).toEqual([...callers.slice(0, 5), stranger].map(({ key }) => key));
    expect(together.records).toEqual([callers[5]?.key]);
  });

  it('lets only whoever has unsubscribed beyond a share go on before others are told (FAIR-03) (RELAY-03)', async () => {
    const [first, second, third] = [open('ada'), open('ada'), open('ada')];
    const order: string[] = [];
    const unset = ['uri desk://1'];
    void useUp(first);
    await Promise.all([
      tell(second).then(() => order.push('told')),
      news
        .take(third)?.({ unsubscribed: ['desk://1'] }, { unset })
        .then(() => order.push('unsubscribed')),
    ]);
    expect(order).toEqual(['unsubscribed', 'told']);
  });

  it('refuses what a caller changes beyond its share while nobody can be told (FAIR-03) (RELAY-07)', async () => {
    const session = open('ada');
    await useUp(session);
    cluster.cut(bus.member);
    const much = 1024 * 100;
    expect(() => news.take(session, much)).toThrow(
      expect.objectContaining({ httpStatus: 429, retryAfterSeconds: 5, data: { retryAfterMs: 5000 } }),
    );
    expect(() => news.take(open('bob'), much)).not.toThrow();
  });

  it('tells that a session has ended, alone and beyond a share, and its record is that alone (RELAY-06)', async () => {
    const [one, two] = [open('ada'), open('ada')];
    await Promise.all([tell(one), tell(two)]);
    await news.end(one);
    await until(() => alone.length === 3, 'the end');
    expect(alone.at(-1)).toEqual({ key: one.key, ended: one.expires });
    expect(await readRecord(one)).toEqual({ ended: '1' });
    const third = open('eve');
    await Promise.all([useUp(third), news.end(third)]);
    await until(() => together.records.length === 1, 'the other end');
    expect([together.records, await readRecord(third)]).toEqual([[third.key], { ended: '1' }]);
  });

  it('tells the lists that a client knows, alone and beyond a share (RELAY-16)', async () => {
    const session = open('ada');
    await news.tellLists(session, '1 a');
    await until(() => alone.length === 1, 'the lists');
    expect(alone).toEqual([{ key: session.key, lists: '1 a' }]);
    alone.length = 0;
    const another = open('bob');
    await Promise.all([useUp(another), news.tellLists(another, '1 b')]);
    await until(() => together.records.length === 1 && alone.length === 1, 'the other lists');
    expect([together.records, alone]).toEqual([[another.key], [{ key: another.key, level: 'error' }]]);
  });

  it('collects other roots only beyond a share (RELAY-01) (FAIR-03)', async () => {
    const session = open('ada');
    expect(news.collectRoots(open('bob'))).toBeUndefined();
    void useUp(session);
    const told = news.collectRoots(session);
    expect(told).toBeDefined();
    await told;
    await until(() => together.roots.length === 1, 'the roots');
    expect(together).toEqual({ records: [], roots: [session.key] });
  });

  it('tells again what others may not know, alone and beyond a share (RELAY-07)', async () => {
    const [one, two] = [open('ada'), open('ada')];
    for (const session of [one, two]) {
      registry.subscribe(session, 'desk://1');
      session.shared?.versions.raise('uri desk://1', 5, 'one');
    }
    news.repeat(one, buildRestored(one)!);
    await until(() => alone.length === 1, 'what is told again');
    expect(alone).toMatchObject([
      { key: one.key, subscribed: ['desk://1'], versions: { 'uri desk://1': 5 } },
    ]);
    void useUp(two);
    news.repeat(two, buildRestored(two)!);
    await until(() => together.records.length === 1, 'what is told together');
    expect(together.records).toEqual([two.key]);
    expect(await readRecord(two)).toMatchObject({
      'uri desk://1': expect.any(String),
      'version uri desk://1': '5',
    });
  });
});
