import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import { SessionRegistry } from '../../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../../lib/server/sessions/session.js';
import { buildRestored, raiseVersion } from '../../../../../lib/server/sessions/shared/restored-session.js';
import { openSession } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const SECRET = 'a secret of the tests';
const [ONE, TWO] = ['desk://1', 'desk://2'];

describe('buildRestored', () => {
  let bus: DistributedBus;
  let registry: SessionRegistry;
  let session: Session;

  beforeEach(async () => {
    bus = new DistributedBus(memoryCluster(), '/mcp', new Keyring([SECRET]));
    await bus.onModuleInit();
    registry = new SessionRegistry(buildSettings({ secret: SECRET }), undefined, undefined, undefined, bus);
    session = openSession(registry);
  });

  afterEach(async () => {
    registry.close();
    await bus.onApplicationShutdown();
  });

  it('says nothing of a session of which nothing is settled, or that has ended (RELAY-07)', () => {
    expect(buildRestored(session)).toBeUndefined();
    session.setLogLevel('error');
    expect(buildRestored(session)).toBeDefined();
    session.end('over');
    expect(buildRestored(session)).toBeUndefined();
  });

  it.each<[string, (session: Session) => void, object, object]>([
    ['a level', (one) => one.setLogLevel('error'), { level: 'error' }, { level: 'error' }],
    ['an owner', (one) => void (one.shared!.owner = 'ada'), { owner: 'ada' }, { owner: 'ada' }],
    [
      'a subscription',
      (one) => registry.subscribe(one, ONE, { epoch: 'log', number: 3 }),
      { subscribed: [ONE], since: { [ONE]: 'log:3' } },
      { [`uri ${ONE}`]: 'log:3' },
    ],
  ])(
    'says %s to the processes and in the record, and no more (RELAY-07)',
    (_what, settle, published, set) => {
      settle(session);
      const restored = buildRestored(session);
      expect(restored?.published).toEqual({
        key: session.key,
        subscribed: [],
        since: {},
        versions: expect.any(Object),
        ...published,
      });
      expect(restored?.change).toMatchObject({ key: `session:${session.key}`, set, stamp: [], unset: [] });
      expect(restored?.change.set).toEqual(set);
    },
  );

  it('says the level that every session begins with only if a client has set it (RELAY-15)', () => {
    raiseVersion(session, 'level', { now: 5, member: 'one' });
    const { published, change } = buildRestored(session)!;
    expect([published.level, published.versions]).toEqual([session.logLevel, { level: 5 }]);
    expect(change.set).toEqual({ level: session.logLevel, 'version level': '5' });
  });

  it('has a subscription begin where the engine writes it, if nothing is known of that (RELAY-07)', () => {
    registry.subscribe(session, ONE);
    registry.subscribe(session, TWO, { epoch: 'log', number: 3 });
    const { published, change } = buildRestored(session)!;
    expect(published).toMatchObject({ subscribed: [ONE, TWO], since: { [TWO]: 'log:3' } });
    expect(change).toMatchObject({ set: { [`uri ${TWO}`]: 'log:3' }, stamp: [`uri ${ONE}`] });
    // Of what was published without a version, none is written.
    expect([published.versions, Object.keys(change.set ?? {})]).toEqual([
      { [`uri ${ONE}`]: 0, [`uri ${TWO}`]: 0 },
      [`uri ${TWO}`],
    ]);
  });

  it('says which subscriptions have ended, with the latest of their versions (RELAY-15)', () => {
    for (const [uri, now] of [
      [TWO, 9],
      [ONE, 7],
    ] as const) {
      session.shared?.versions.note(`uri ${uri}`, now);
      session.shared?.versions.setEnded(`uri ${uri}`, true);
    }
    const { published, change } = buildRestored(session)!;
    expect(published).toMatchObject({
      unsubscribed: [TWO, ONE],
      versions: { [`uri ${ONE}`]: 7, [`uri ${TWO}`]: 9 },
    });
    expect(change.set).toEqual({ unsubscribed: '9' });
    expect(change.unset).toEqual([`uri ${TWO}`, `version uri ${TWO}`, `uri ${ONE}`, `version uri ${ONE}`]);
  });
});

describe('raiseVersion', () => {
  it('gives a session that no other process has the version 0 (RELAY-02)', () => {
    const raised = raiseVersion({ shared: undefined }, 'level', { now: 5, member: 'one' });
    expect(raised).toEqual({ version: '0', versions: { level: 0 }, set: { 'version level': '0' } });
  });
});
