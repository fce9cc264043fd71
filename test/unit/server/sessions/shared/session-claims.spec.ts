import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { ClusterRelay } from '../../../../../lib/server/relay/cluster-relay.js';
import { SessionRegistry } from '../../../../../lib/server/sessions/session-registry.js';
import { BoundedState } from '../../../../../lib/server/sessions/shared/bounded-state.js';
import { SessionClaims } from '../../../../../lib/server/sessions/shared/shared-sessions.js';
import { openSession } from '../../../support/requests.js';
import { buildSettings } from '../../../support/settings.js';

const SECRET = 'a secret of the tests';

describe('SessionClaims', () => {
  let relay: ClusterRelay;
  let registry: SessionRegistry;
  let claims: SessionClaims;

  beforeEach(async () => {
    relay = new ClusterRelay(memoryCluster(), '/mcp', new Keyring([SECRET]));
    await relay.onModuleInit();
    registry = new SessionRegistry(buildSettings({ secret: SECRET }), undefined, undefined, undefined, relay);
    claims = new SessionClaims(relay, new BoundedState(relay));
  });

  afterEach(async () => {
    registry.close();
    await relay.onApplicationShutdown();
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
});
