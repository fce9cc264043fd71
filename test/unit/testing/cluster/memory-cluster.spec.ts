import { afterEach, describe, expect, it } from '@jest/globals';
import type { ClusterConnection, ClusterEntry, ClusterMember } from 'nestjs-mcp';
import { clusterChecks, memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { until } from '../../../support/until.js';

const joined: ClusterConnection[] = [];

/** A process that joins, and what it was told. */
async function join(cluster: MemoryCluster, id: string) {
  const told: (string | boolean)[] = [];
  const member: ClusterMember = {
    id,
    server: '/mcp',
    onEntry: ({ text }: ClusterEntry) => told.push(text),
    onMessage: (text) => told.push(`message ${text}`),
    onGap: () => told.push('gap'),
    onConnection: (isConnected) => told.push(isConnected),
  };
  const connection = await cluster.join(member);
  joined.push(connection);
  return { told, connection };
}

describe('memoryCluster()', () => {
  afterEach(() => Promise.all(joined.splice(0).map((connection) => connection.close())));

  const shared = memoryCluster();
  it.each(clusterChecks(() => shared))('$name', ({ run }) => expect(run()).resolves.toBeUndefined());

  it('gives a process that was cut off what it missed, and then says that it is back', async () => {
    const cluster = memoryCluster();
    const [one, other] = [await join(cluster, 'one'), await join(cluster, 'other')];
    cluster.cut('one');
    await expect(one.connection.append('lost')).rejects.toThrow('unavailable');
    await other.connection.append('missed');
    await until(() => other.told.includes('missed'), 'the entry');
    expect(one.told).toEqual([true, false]);
    cluster.heal('one');
    await until(() => one.connection.isConnected, 'the connection');
    expect(one.told).toEqual([true, false, 'missed', true]);
    expect(one.connection.figures).toMatchObject({ reconnections: 1, replayed: 1, gaps: 0 });
  });

  it('tells all that everything is gone, and goes on in another log', async () => {
    const cluster = memoryCluster();
    const { told, connection } = await join(cluster, 'one');
    const before = await connection.append('before', { key: 'key', set: { a: '1' }, expires: Infinity });
    await until(() => told.includes('before'), 'the entry');
    cluster.clear();
    const after = await connection.append('after');
    await until(() => told.includes('after'), 'the entry');
    expect(told).toEqual([true, 'before', 'gap', 'after']);
    expect(after.epoch).not.toBe(before.epoch);
    expect(await connection.read(before, 10)).toBeUndefined();
    expect(await connection.find('key')).toBeUndefined();
  });

  it('tells a process of a gap if what it missed is gone', async () => {
    const cluster = memoryCluster({ maxEntries: 2 });
    const [one, other] = [await join(cluster, 'one'), await join(cluster, 'other')];
    const begin = await other.connection.append('begin');
    await until(() => one.told.includes('begin'), 'the entry');
    cluster.cut('one');
    for (const text of ['1', '2', '3']) await other.connection.append(text);
    cluster.heal();
    await until(() => one.connection.isConnected, 'the connection');
    expect(one.told).toEqual([true, 'begin', false, 'gap', '2', '3', true]);
    expect(await one.connection.read(begin, 10)).toBeUndefined();
    cluster.trim();
    expect(await one.connection.read(begin, 10)).toBeUndefined();
    expect(await one.connection.read({ ...begin, number: begin.number + 3 }, 10)).toEqual([]);
  });

  it('lets a process join while it is out of reach', async () => {
    const cluster = memoryCluster();
    cluster.cut();
    const { told, connection } = await join(cluster, 'one');
    expect(connection.isConnected).toBe(false);
    expect(connection.position).toBeUndefined();
    cluster.heal();
    await connection.append('entry');
    await until(() => told.includes('entry'), 'the entry');
    expect(told).toEqual([true, 'entry']);
  });

  it('takes as long as it is told to, and keeps the order', async () => {
    const cluster = memoryCluster({ delayMs: 20 });
    const { told, connection } = await join(cluster, 'one');
    const begun = performance.now();
    await Promise.all(['1', '2', '3'].map((text) => connection.append(text)));
    await until(() => told.includes('3'), 'the entries');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(38);
    expect(told).toEqual([true, '1', '2', '3']);
  });
});
