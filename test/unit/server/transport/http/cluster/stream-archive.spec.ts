import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster, type MemoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../../../lib/server/cluster/distributed-bus.js';
import type { SessionRegistry } from '../../../../../../lib/server/sessions/session-registry.js';
import type { Session } from '../../../../../../lib/server/sessions/session.js';
import { StreamArchive } from '../../../../../../lib/server/transport/http/cluster/call-records.js';
import { Intruder } from '../../../../../support/cluster/intruder.js';

const STREAM = 'member.1.MQ';
const REST = {
  stream: STREAM,
  ordinal: 1,
  scopes: ['read'],
  isDelivered: false,
  events: [{ number: 1, message: { json: '{"result":"sesame"}' } }],
};
const SESSION = { key: 'key', streams: { callRests: [REST] } } as unknown as Session;

describe('HandOver', () => {
  const sessions = { all: () => [SESSION] } as unknown as SessionRegistry;
  const buses: DistributedBus[] = [];
  let cluster: MemoryCluster;
  let leaving: DistributedBus;
  let key: string;

  beforeEach(async () => {
    cluster = memoryCluster();
    leaving = await join('secret');
    key = `call:key:${leaving.member}:1`;
  });

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.onApplicationShutdown()));
  });

  async function join(...secrets: readonly string[]): Promise<DistributedBus> {
    const bus = new DistributedBus(cluster, '/mcp', new Keyring(secrets));
    buses.push(bus);
    await bus.onModuleInit();
    return bus;
  }

  async function findBy(...secrets: readonly string[]) {
    const place = { stream: STREAM, member: leaving.member, ordinal: 1, requestIds: [1], number: 0 };
    return new StreamArchive(await join(...secrets), sessions).find(SESSION, place);
  }

  it('leaves nothing that can be read without the secret, encrypted once', async () => {
    await new StreamArchive(leaving, sessions).save();
    const record = await (await Intruder.join(cluster)).connection.find(key);
    const written = JSON.stringify(record);
    expect(written).not.toMatch(/sesame|result|read/);
    const left = JSON.stringify({ v: 1, scopes: ['read'], events: [[1, '{"result":"sesame"}']] });
    expect(written.length).toBeLessThan(1.5 * left.length + 64);
    await expect(findBy('later', 'secret')).resolves.toEqual({
      scopes: ['read'],
      events: [{ id: `${STREAM}:1`, json: '{"result":"sesame"}' }],
    });
    await expect(findBy('another')).resolves.toBeUndefined();
  });

  it('takes nothing that another than a process has written', async () => {
    const { connection } = await Intruder.join(cluster);
    const left = JSON.stringify({ v: 1, scopes: [], events: [] });
    await connection.change({ key, set: { left }, expires: Date.now() + 60_000 });
    await expect(findBy('secret')).resolves.toBeUndefined();
  });
});
