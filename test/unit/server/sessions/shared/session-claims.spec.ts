import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import { SessionRegistry } from '../../../../../lib/server/sessions/session-registry.js';
import { BoundedState } from '../../../../../lib/server/sessions/shared/bounded-state.js';
import { SESSION_CHANGE } from '../../../../../lib/server/sessions/shared/session-change.js';
import { SessionClaims } from '../../../../../lib/server/sessions/shared/shared-sessions.js';
import { until } from '../../../../support/until.js';
import { openSession } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const SECRET = 'a secret of the tests';

/** Does not say in time whose a session is. */
class LateState extends BoundedState {
  override async swap(): Promise<undefined> {}
}

describe('SessionClaims', () => {
  let cluster: MemoryCluster;
  let bus: DistributedBus;
  let registry: SessionRegistry;
  let claims: SessionClaims;

  beforeEach(async () => {
    cluster = memoryCluster();
    bus = new DistributedBus(cluster, '/mcp', new Keyring([SECRET]));
    await bus.onModuleInit();
    registry = new SessionRegistry(buildSettings({ secret: SECRET }), undefined, undefined, undefined, bus);
    claims = new SessionClaims(bus, new BoundedState(bus));
  });

  afterEach(async () => {
    cluster.heal();
    registry.close();
    await bus.onApplicationShutdown();
  });

  it('gives a session without an owner to one caller, for whom all its requests wait (RELAY-01)', async () => {
    const session = openSession(registry);
    const claimed = claims.claim(session, 'ada');
    expect(claims.claim(session, 'bob')).toBe(claimed);
    await claimed;
    expect(session.shared?.owner).toBe('ada');
    expect(claims.claim(session, 'bob')).toBeUndefined();
  });

  it('asks nothing for a session that was opened with a token (RELAY-01) (RELAY-02)', () => {
    const session = openSession(registry);
    registry.bind(session, 'ada');
    expect(claims.claim(session, 'ada')).toBeUndefined();
  });

  it('gives a session to whom another process gave it first, and tells nobody else (RELAY-01)', async () => {
    const session = openSession(registry);
    const { key, expires } = session;
    await bus.shared.swap({ key: `session:${key}`, field: 'owner', to: 'bob', expires });
    const told: unknown[] = [];
    bus.on(SESSION_CHANGE, (change) => void told.push(change));
    await claims.claim(session, 'ada');
    expect(session.shared?.owner).toBe('bob');
    await claims.claim(openSession(registry), 'ada');
    expect(told).toEqual([{ key: expect.not.stringMatching(key), owner: 'ada' }]);
  });

  it('is not known to have given a session while the engine is away, and gives it later (RELAY-07)', async () => {
    const session = openSession(registry);
    cluster.cut(bus.member);
    expect(claims.claim(session, 'ada')).toBeUndefined();
    expect(session.shared?.owner).toBeUndefined();
    cluster.heal();
    await until(() => bus.isConnected, 'the engine');
    await claims.claim(session, 'bob');
    expect(session.shared?.owner).toBe('bob');
  });

  it('lets requests go on if the engine does not say in time whose a session is (RELAY-07)', async () => {
    const session = openSession(registry);
    await expect(new SessionClaims(bus, new LateState(bus)).claim(session, 'ada')).resolves.toBeUndefined();
    expect(session.shared?.owner).toBeUndefined();
  });

  it('asks nothing for a session that no other process can have (RELAY-02)', () => {
    const lasting = registry.open(
      { revision: openSession(registry).revision, client: { capabilities: {} }, declared: {} },
      true,
    );
    expect(claims.claim(lasting, 'ada')).toBeUndefined();
  });
});
