import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../../lib/server/cluster/distributed-bus.js';
import type { SessionRegistry } from '../../../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../../../lib/server/sessions/session.js';
import { BoundedState } from '../../../../../../lib/server/sessions/shared/bounded-state.js';
import { StandaloneStreamMessages } from '../../../../../../lib/server/transport/http/cluster/standalone-stream-messages.js';
import { WatchedCluster } from '../../../../../support/cluster/watched-cluster.js';
import { until } from '../../../../../support/until.js';

describe('StandingMessages', () => {
  const buses: DistributedBus[] = [];
  const session = { key: 'key', address: '127.0.0.1' } as Session;
  let engine: MemoryCluster;
  let watched: WatchedCluster;
  let calling: StandaloneStreamMessages;
  let brought: string[];

  async function create(cluster: WatchedCluster): Promise<StandaloneStreamMessages> {
    const bus = new DistributedBus(cluster, '/mcp', new Keyring(['a secret']));
    buses.push(bus);
    await bus.onModuleInit();
    const reading = {
      streams: { appendStandalone: ({ json }: { json: string }) => void brought.push(json) },
    };
    const sessions = { findByKey: () => reading } as unknown as SessionRegistry;
    return new StandaloneStreamMessages(bus, sessions, new BoundedState(bus));
  }

  beforeEach(async () => {
    engine = memoryCluster();
    watched = new WatchedCluster(engine);
    brought = [];
    calling = await create(watched);
    await create(new WatchedCluster(engine));
    const reader = buses[1]!;
    const standing = `${reader.member}.1@`;
    await reader.shared.change({ key: 'session:key', set: { standing }, expires: Date.now() + 60_000 });
  });

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  const countLooks = () => watched.commands.filter((command) => command === 'find').length;

  it('brings what belongs to calls to the process of the stream, in order (RELAY-04)', async () => {
    for (let count = 0; count < 5; count += 1) calling.pass(session, { json: `${count}` }, []);
    await until(() => brought.length === 5, 'the messages');
    expect(brought).toEqual(['0', '1', '2', '3', '4']);
  });

  it('looks once for whoever asks while it looks, so that no message overtakes another (RELAY-04)', async () => {
    let open = (): void => undefined;
    watched.gate = new Promise((resolve) => (open = resolve));
    calling.pass(session, { json: 'first' }, []);
    const isRead = calling.isReadElsewhere(session);
    watched.gate = undefined;
    calling.pass(session, { json: 'second' }, []);
    expect(countLooks()).toBe(1);
    open();
    expect(await isRead).toBe(true);
    await until(() => brought.length === 2, 'both messages');
    expect(brought).toEqual(['first', 'second']);
  });

  it('looks again for whoever asks later (RELAY-04)', async () => {
    for (let count = 0; count < 2; count += 1) expect(await calling.isReadElsewhere(session)).toBe(true);
    expect(countLooks()).toBe(2);
  });

  it('lets a bounded number wait for a look, whoever asks meanwhile (FAIR-03)', async () => {
    let open = (): void => undefined;
    watched.gate = new Promise((resolve) => (open = resolve));
    for (let count = 0; count < 150; count += 1) {
      calling.pass(session, { json: `${count}` }, []);
      if (count === 99) void calling.isReadElsewhere(session);
    }
    open();
    await until(() => brought.length >= 100, 'the messages');
    calling.pass(session, { json: 'last' }, []);
    await until(() => brought.includes('last'), 'the last');
    expect(brought).toHaveLength(101);
  });
});
