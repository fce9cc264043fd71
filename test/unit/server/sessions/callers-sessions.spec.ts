import { afterEach, describe, expect, it } from '@jest/globals';
import { NEWEST_HANDSHAKE_REVISION } from '../../../../lib/core/protocol/revisions.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import { SessionLimitError } from '../../../../lib/server/sessions/session-limit.error.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import type { SessionOptions } from '../../../../lib/server/settings/session-options.js';
import { buildSettings } from '../../support/settings.js';

const registries: SessionRegistry[] = [];

function createRegistry(sessions: SessionOptions, sealer = new Sealer()): SessionRegistry {
  const registry = new SessionRegistry(buildSettings({ sessions }), sealer);
  registries.push(registry);
  return registry;
}

function openFor(registry: SessionRegistry, identity?: string): Session {
  return registry.open({
    revision: NEWEST_HANDSHAKE_REVISION,
    client: { capabilities: {} },
    declared: {},
    identity,
  });
}

/** Reads the standing stream of a session: its client is there. */
function read(session: Session): Session {
  session.streams.open(STANDALONE_STREAM).subscribe();
  return session;
}

const openReadFor = (registry: SessionRegistry, identity?: string) => read(openFor(registry, identity));

describe('The sessions of one caller', () => {
  afterEach(() => registries.splice(0).forEach((registry) => registry.close()));

  it('are bounded by themselves (HTTP-10)', () => {
    const registry = createRegistry({ maxSessionsPerCaller: 2 });
    const [first] = [openReadFor(registry, 'ada'), openReadFor(registry, 'ada')];
    expect(() => openFor(registry, 'ada')).toThrow(SessionLimitError);
    expect(openFor(registry, 'eve').identity).toBe('eve');
    void registry.end(first, 'over');
    expect(openFor(registry, 'ada').identity).toBe('ada');
  });

  it('are not bounded where nobody knows whose they are (HTTP-10)', () => {
    const registry = createRegistry({ maxSessionsPerCaller: 1 });
    expect([openFor(registry), openFor(registry)]).toHaveLength(2);
  });

  it('stay theirs in the process that adopts them, within the same bound (SESS-05)', () => {
    const sealer = new Sealer();
    const first = createRegistry({ recover: true }, sealer);
    const second = createRegistry({ recover: true, maxSessionsPerCaller: 1 }, sealer);
    const [one, other] = [openFor(first, 'ada'), openFor(first, 'ada')];
    const adopted = second.findOrRecover(one.id);
    expect(adopted).toMatchObject({ identity: 'ada', isRecovered: true, isLive: true });
    if (adopted !== undefined) read(adopted);
    expect(() => second.findOrRecover(other.id)).toThrow(SessionLimitError);
  });

  it('stay ended in the process that ended them (SESS-05)', () => {
    const sealer = new Sealer();
    const { id } = openFor(createRegistry({ recover: true }, sealer), 'ada');
    const second = createRegistry({ recover: true }, sealer);
    const adopted = second.findOrRecover(id);
    if (adopted !== undefined) void second.end(adopted, 'over');
    expect(second.findOrRecover(id)).toBeUndefined();
  });
});
