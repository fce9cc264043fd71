import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import { EndedCallers, type NotedEnd } from '../../../../../lib/server/sessions/callers/ended-callers.js';
import { SessionRegistry } from '../../../../../lib/server/sessions/session-registry.js';
import { LostRecords } from '../../../../../lib/server/sessions/shared/lost-records.js';
import { SESSIONS_RESTORED } from '../../../../../lib/server/sessions/shared/session-change.js';
import { until } from '../../../../support/until.js';
import { openSession } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const SECRET = 'a secret of the tests';
/** Sessions of which something is known: far more than a process may have waiting for the log. */
const MANY = 3000;

describe('LostRecords', () => {
  const settings = buildSettings({ secret: SECRET });
  let cluster: MemoryCluster;
  let bus: DistributedBus;
  let other: DistributedBus;
  let registry: SessionRegistry;
  let lost: LostRecords;
  let ended: EndedCallers;

  async function join(): Promise<DistributedBus> {
    const joined = new DistributedBus(cluster, '/mcp', new Keyring([SECRET]));
    await joined.onModuleInit();
    return joined;
  }

  beforeEach(async () => {
    cluster = memoryCluster();
    [bus, other] = [await join(), await join()];
    registry = new SessionRegistry(settings, undefined, undefined, undefined, bus);
    ended = new EndedCallers(bus, settings);
    ended.onModuleInit();
    lost = new LostRecords(bus, registry, ended);
  });

  afterEach(async () => {
    cluster.heal();
    registry.close();
    await Promise.all([bus, other].map((each) => each.onApplicationShutdown()));
  });

  /** Opens sessions that have subscribed to something, and has the engine forget that. */
  function loseSessions(count: number): readonly string[] {
    const keys = Array.from({ length: count }, () => {
      const session = openSession(registry);
      registry.subscribe(session, 'desk://1');
      return session.key;
    });
    cluster.clear();
    return keys;
  }

  it('writes what clients have settled in many sessions by few entries of the log, all of which it takes (RELAY-07)', async () => {
    const told: string[] = [];
    other.on(SESSIONS_RESTORED, ({ sessions }) => told.push(...sessions.map(({ key }) => key)));
    const keys = loseSessions(MANY);
    await until(() => bus.stats.gaps === 1, 'the other log');
    const before = bus.position!.number;
    expect(await lost.restoreSessions()).toBe(true);
    await until(() => told.length === MANY, 'the sessions');
    expect(told).toEqual(keys);
    expect(bus.position!.number - before).toBeLessThanOrEqual(MANY / 100);
    expect(bus.stats).toMatchObject({ waiting: 0, dropped: 0 });
    expect(Object.keys((await other.shared.find(`session:${keys.at(-1)}`)) ?? {})).toEqual(['uri desk://1']);
  });

  it('puts few sessions into one entry of the log if their subscriptions are long (RELAY-07)', async () => {
    const told: number[] = [];
    other.on(SESSIONS_RESTORED, ({ sessions }) => void told.push(sessions.length));
    for (let count = 0; count < 3; count += 1) {
      const session = openSession(registry);
      for (let uri = 0; uri < 4; uri += 1) registry.subscribe(session, `desk://${uri}/${'x'.repeat(10_000)}`);
    }
    cluster.clear();
    await until(() => bus.stats.gaps === 1, 'the other log');
    expect(await lost.restoreSessions()).toBe(true);
    await until(() => told.length === 2, 'both entries');
    expect(told).toEqual([2, 1]);
  });

  it('says that it is not done if the engine is away again, and does it all when it is back (RELAY-07)', async () => {
    const keys = loseSessions(3);
    cluster.cut(bus.member);
    expect([await lost.restoreSessions(), await lost.restoreEnds()]).toEqual([false, true]);
    cluster.heal();
    await until(() => bus.isConnected, 'the connection to the engine');
    expect(await lost.restoreSessions()).toBe(true);
    expect(await other.shared.find(`session:${keys[0]}`)).toBeDefined();
  });

  describe('of an end of what a caller has', () => {
    const terms = { identities: ['ada'] };
    const end = (at: number) => ({ id: `${at}`, terms, at, withTasks: false, member: 'one' });
    const now = Date.now();

    function findNoted(): NotedEnd {
      const [noted] = ended.list();
      if (noted === undefined) throw new Error('No end is noted');
      return noted;
    }

    /** Reads when what the caller has has ended, by the record. */
    async function readEnd(): Promise<unknown> {
      const { key, field } = findNoted();
      return (await other.shared.find(key))?.[field];
    }

    it.each([
      ['keeps a later one that another process has written', 1, now],
      ['replaces an earlier one that another process has written', -1, now - 1],
      ['writes the one that is lost', undefined, now - 1],
    ])('%s (RELAY-06)', async (_, difference, expected) => {
      ended.note(end(now - 1));
      if (difference !== undefined) {
        const { key, field } = findNoted();
        const set = { [field]: `${now - 1 + difference}` };
        await other.shared.change({ key, set, expires: now + 60_000 });
      }
      await lost.restoreEnds();
      expect(await readEnd()).toBe(`${expected}`);
    });

    it('keeps the latest although a process that was away tells its own later (RELAY-06)', async () => {
      ended.publish(end(now));
      await until(() => ended.list().length > 0, 'the end to be told');
      const away = new EndedCallers(other, settings);
      away.publish(end(now - 1));
      await other.flush();
      expect(await until(async () => (await readEnd()) === `${now}`, 'the latest')).toBe(true);
    });
  });
});
