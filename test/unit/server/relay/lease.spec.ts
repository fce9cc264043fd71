import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { ClusterRelay } from '../../../../lib/server/relay/cluster-relay.js';
import { Lease } from '../../../../lib/server/relay/lease.js';
import { LocalRelay } from '../../../../lib/server/relay/local-relay.js';
import { until } from '../../../support/until.js';

describe('A lease', () => {
  const relays: ClusterRelay[] = [];
  const leases: Lease[] = [];

  afterEach(async () => {
    await Promise.all(leases.splice(0).map((lease) => lease.stop()));
    await Promise.all(relays.splice(0).map((relay) => relay.onApplicationShutdown()));
  });

  async function start(cluster: MemoryCluster): Promise<{ lease: Lease; heard: boolean[] }> {
    const relay = new ClusterRelay(cluster, '/mcp', new Keyring(['a secret']));
    relays.push(relay);
    await relay.onModuleInit();
    const heard: boolean[] = [];
    const lease = new Lease(relay, 'work', (isHeld) => heard.push(isHeld));
    leases.push(lease);
    lease.start();
    return { lease, heard };
  }

  it('is had at once by a process that is alone (RELAY-09)', () => {
    const heard: boolean[] = [];
    new Lease(new LocalRelay(), 'work', (isHeld) => heard.push(isHeld)).start();
    expect(heard).toEqual([true]);
  });

  it('is had by one process, and by the other as soon as the first gives it back (RELAY-09)', async () => {
    const cluster = memoryCluster();
    const first = await start(cluster);
    await until(() => first.lease.isHeld, 'the lease');
    const second = await start(cluster);
    expect(await second.lease.attempt()).toBe(false);
    await first.lease.stop();
    await until(() => second.lease.isHeld, 'the lease of the other', 2000);
    expect([first.heard, second.heard]).toEqual([[true], [true]]);
  });

  it('is not taken again by a process that has given it back (RELAY-09)', async () => {
    const { lease, heard } = await start(memoryCluster());
    await until(() => lease.isHeld, 'the lease');
    await lease.stop();
    expect([await lease.attempt(), lease.isHeld, heard]).toEqual([false, false, [true]]);
  });

  it('is kept while the engine is away, and not taken then (RELAY-07) (RELAY-09)', async () => {
    const cluster = memoryCluster();
    const first = await start(cluster);
    await until(() => first.lease.isHeld, 'the lease');
    const second = await start(cluster);
    cluster.cut();
    expect([await first.lease.attempt(), await second.lease.attempt()]).toEqual([true, false]);
    cluster.heal();
    expect([await first.lease.attempt(), await second.lease.attempt()]).toEqual([true, false]);
  });

  it('is given up when the engine says that another process has it (RELAY-09)', async () => {
    const cluster = memoryCluster();
    const first = await start(cluster);
    await until(() => first.lease.isHeld, 'the lease');
    cluster.clear();
    const second = await start(cluster);
    await until(() => second.lease.isHeld, 'the lease of the other');
    expect(await first.lease.attempt()).toBe(false);
    expect(first.heard).toEqual([true, false]);
  });
});
