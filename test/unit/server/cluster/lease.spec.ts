import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../lib/server/cluster/distributed-bus.js';
import { Lease } from '../../../../lib/server/cluster/lease.js';
import { LocalBus } from '../../../../lib/server/cluster/local-bus.js';
import { until } from '../../../support/until.js';

describe('A lease', () => {
  const buses: DistributedBus[] = [];
  const leases: Lease[] = [];

  afterEach(async () => {
    await Promise.all(leases.splice(0).map((lease) => lease.stop()));
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  async function start(cluster: MemoryCluster): Promise<{ lease: Lease; heard: boolean[] }> {
    const bus = new DistributedBus(cluster, '/mcp', new Keyring(['a secret']));
    buses.push(bus);
    await bus.onModuleInit();
    const heard: boolean[] = [];
    const lease = new Lease(bus, 'work', (isHeld) => heard.push(isHeld));
    leases.push(lease);
    lease.start();
    return { lease, heard };
  }

  it('is had at once by a process that is alone (RELAY-09)', () => {
    const heard: boolean[] = [];
    new Lease(new LocalBus(), 'work', (isHeld) => heard.push(isHeld)).start();
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
