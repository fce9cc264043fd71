import { afterEach, describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../lib/server/cluster/distributed-bus.js';
import { Topic } from '../../../../lib/server/cluster/cluster-bus.js';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Intruder } from '../../../support/cluster/intruder.js';

const NEWS = new Topic<object>('news');
const [FIRST, SECOND] = ['the first secret of the server', 'the second secret of it'];
const EXPIRES = Date.now() + 60_000;

/** A place in the log. */
const PLACE = expect.stringMatching(/^[^:]+:\d+$/);

describe('The records of a server', () => {
  const buses: DistributedBus[] = [];

  async function join(cluster: MemoryCluster, ...secrets: readonly string[]): Promise<DistributedBus> {
    const bus = new DistributedBus(cluster, '/mcp', new Keyring(secrets));
    buses.push(bus);
    await bus.onModuleInit();
    return bus;
  }

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  const write = (bus: DistributedBus, uri: string) =>
    bus.publishFlushed(
      NEWS,
      {},
      {
        key: 'record',
        set: { owner: 'https://login.example.com ada' },
        stamp: [`uri ${uri}`],
        expires: EXPIRES,
      },
    );
  const find = (bus: DistributedBus) => bus.shared.find('record');
  /** Reads the record as the engine has it. */
  const read = async (cluster: MemoryCluster) =>
    (await (await Intruder.join(cluster)).connection.find('record')) ?? {};

  it('tell nobody anything who does not know the secret', async () => {
    const cluster = memoryCluster();
    const bus = await join(cluster, FIRST);
    await write(bus, 'desk://tickets/ada');
    expect(await find(bus)).toEqual({
      owner: 'https://login.example.com ada',
      'uri desk://tickets/ada': PLACE,
    });
    expect(JSON.stringify(await read(cluster))).not.toMatch(/desk:|login\.|tickets/);
    expect(await find(await join(cluster, SECOND))).toEqual({});
  });

  it('say nothing that was written there without the secret', async () => {
    const cluster = memoryCluster();
    const bus = await join(cluster, FIRST);
    await write(bus, 'desk://1');
    const { connection: intruder } = await Intruder.join(cluster);
    const record = await intruder.find('record');
    await intruder.change({ key: 'other', set: { ...record }, expires: EXPIRES });
    const forged = { owner: 'eve', ended: 'epoch:1', 'uri desk://2': 'epoch:1' };
    await intruder.change({ key: 'record', set: forged, expires: EXPIRES });
    expect(await find(bus)).toEqual({ 'uri desk://1': PLACE });
    expect(await bus.shared.find('other')).toEqual({});
  });

  it('have each value once while the secret is being changed (RELAY-08)', async () => {
    const cluster = memoryCluster();
    const before = await join(cluster, FIRST, SECOND);
    const after = await join(cluster, SECOND, FIRST);
    const set = { 'uri desk://1': 'epoch:1' };
    for (const bus of [before, after]) await bus.shared.change({ key: 'record', set, expires: EXPIRES });
    expect(Object.keys(await read(cluster))).toHaveLength(1);
    expect(await find(before)).toEqual(set);
  });

  it('say since when a field was there first while the secret is being changed (RELAY-03) (RELAY-08)', async () => {
    const cluster = memoryCluster();
    const before = await join(cluster, FIRST, SECOND);
    const after = await join(cluster, SECOND, FIRST);
    await write(before, 'desk://1');
    const first = await find(before);
    for (const bus of [after, before]) await write(bus, 'desk://1');
    expect(first).toMatchObject({ 'uri desk://1': PLACE });
    for (const bus of [before, after]) expect(await find(bus)).toEqual(first);
    await before.shared.change({ key: 'record', unset: ['uri desk://1'], expires: EXPIRES });
    expect(Object.keys((await find(after)) ?? {})).toEqual(['owner']);
  });

  it('let one of several swaps win while the secret is being changed (RELAY-08)', async () => {
    const cluster = memoryCluster();
    const before = await join(cluster, FIRST, SECOND);
    const after = await join(cluster, SECOND, FIRST);
    const swap = (bus: DistributedBus, from: string | undefined, to: string | undefined) =>
      bus.shared.swap({ key: 'record', field: 'standing', from, to, expires: EXPIRES });
    expect(await swap(before, undefined, 'one')).toBe('one');
    expect(await swap(after, undefined, 'two')).toBe('one');
    expect(await swap(after, 'other', 'two')).toBe('one');
    expect(await swap(after, 'one', 'two')).toBe('two');
    expect(await swap(before, 'two', undefined)).toBeUndefined();
  });
});
