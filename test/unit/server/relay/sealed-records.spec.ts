import { afterEach, describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { ClusterRelay } from '../../../../lib/server/relay/cluster-relay.js';
import { Topic } from '../../../../lib/server/relay/topic.js';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Intruder } from '../../../support/cluster/intruder.js';

const NEWS = new Topic<object>('news');
const [FIRST, SECOND] = ['the first secret of the server', 'the second secret of it'];
const EXPIRES = Date.now() + 60_000;

/** A place in the log. */
const PLACE = expect.stringMatching(/^[^:]+:\d+$/);

describe('The records of a server', () => {
  const relays: ClusterRelay[] = [];

  async function join(cluster: MemoryCluster, ...secrets: readonly string[]): Promise<ClusterRelay> {
    const relay = new ClusterRelay(cluster, '/mcp', new Keyring(secrets));
    relays.push(relay);
    await relay.onModuleInit();
    return relay;
  }

  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.onApplicationShutdown()));
  });

  const write = (relay: ClusterRelay, uri: string) =>
    relay.publishSettled(
      NEWS,
      {},
      {
        key: 'record',
        set: { owner: 'https://login.example.com ada' },
        stamp: [`uri ${uri}`],
        expires: EXPIRES,
      },
    );
  const find = (relay: ClusterRelay) => relay.shared.find('record');
  /** Reads the record as the engine has it. */
  const read = async (cluster: MemoryCluster) =>
    (await (await Intruder.join(cluster)).connection.find('record')) ?? {};

  it('tell nobody anything who does not know the secret', async () => {
    const cluster = memoryCluster();
    const relay = await join(cluster, FIRST);
    await write(relay, 'desk://tickets/ada');
    expect(await find(relay)).toEqual({
      owner: 'https://login.example.com ada',
      'uri desk://tickets/ada': PLACE,
    });
    expect(JSON.stringify(await read(cluster))).not.toMatch(/desk:|login\.|tickets/);
    expect(await find(await join(cluster, SECOND))).toEqual({});
  });

  it('say nothing that was written there without the secret', async () => {
    const cluster = memoryCluster();
    const relay = await join(cluster, FIRST);
    await write(relay, 'desk://1');
    const { connection: intruder } = await Intruder.join(cluster);
    const record = await intruder.find('record');
    await intruder.change({ key: 'other', set: { ...record }, expires: EXPIRES });
    const forged = { owner: 'eve', ended: 'epoch:1', 'uri desk://2': 'epoch:1' };
    await intruder.change({ key: 'record', set: forged, expires: EXPIRES });
    expect(await find(relay)).toEqual({ 'uri desk://1': PLACE });
    expect(await relay.shared.find('other')).toEqual({});
  });

  it('have each value once while the secret is being changed (RELAY-08)', async () => {
    const cluster = memoryCluster();
    const before = await join(cluster, FIRST, SECOND);
    const after = await join(cluster, SECOND, FIRST);
    const set = { 'uri desk://1': 'epoch:1' };
    for (const relay of [before, after]) await relay.shared.change({ key: 'record', set, expires: EXPIRES });
    expect(Object.keys(await read(cluster))).toHaveLength(1);
    expect(await find(before)).toEqual(set);
  });

  it('say since when a field was there first while the secret is being changed (RELAY-03) (RELAY-08)', async () => {
    const cluster = memoryCluster();
    const before = await join(cluster, FIRST, SECOND);
    const after = await join(cluster, SECOND, FIRST);
    await write(before, 'desk://1');
    const first = await find(before);
    for (const relay of [after, before]) await write(relay, 'desk://1');
    expect(first).toMatchObject({ 'uri desk://1': PLACE });
    for (const relay of [before, after]) expect(await find(relay)).toEqual(first);
    await before.shared.change({ key: 'record', unset: ['uri desk://1'], expires: EXPIRES });
    expect(Object.keys((await find(after)) ?? {})).toEqual(['owner']);
  });

  it('let one of several swaps win while the secret is being changed (RELAY-08)', async () => {
    const cluster = memoryCluster();
    const before = await join(cluster, FIRST, SECOND);
    const after = await join(cluster, SECOND, FIRST);
    const swap = (relay: ClusterRelay, from: string | undefined, to: string | undefined) =>
      relay.shared.swap({ key: 'record', field: 'standing', from, to, expires: EXPIRES });
    expect(await swap(before, undefined, 'one')).toBe('one');
    expect(await swap(after, undefined, 'two')).toBe('one');
    expect(await swap(after, 'other', 'two')).toBe('one');
    expect(await swap(after, 'one', 'two')).toBe('two');
    expect(await swap(before, 'two', undefined)).toBeUndefined();
  });
});
