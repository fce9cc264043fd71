import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { memoryCluster } from 'nestjs-mcp/testing';
import type { ClusterConnection } from 'nestjs-mcp';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { DistributedBus } from '../../../../lib/server/cluster/distributed-bus.js';
import { EncryptedState, SealedRecords } from '../../../../lib/server/cluster/sealed-records.js';
import { Intruder } from '../../../support/cluster/intruder.js';

const SECRET = 'the secret that all processes have';
const EXPIRES = Date.now() + 60_000;
const RUBBISH = { key: 'record', set: { standing: 'rubbish' }, expires: EXPIRES };

describe('A record that somebody else has written over', () => {
  let bus: DistributedBus;
  let intruder: ClusterConnection;

  beforeEach(async () => {
    const cluster = memoryCluster();
    bus = new DistributedBus(cluster, '/mcp', new Keyring([SECRET]));
    await bus.onModuleInit();
    intruder = (await Intruder.join(cluster)).connection;
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });

  afterEach(async () => {
    await bus.onApplicationShutdown();
    jest.restoreAllMocks();
  });

  const swap = (from: string | undefined, to: string | undefined, by = bus.shared) =>
    by.swap({ key: 'record', field: 'standing', from, to, expires: EXPIRES });
  const find = async () => (await bus.shared.find('record'))?.['standing'];

  it('counts as absent to whoever would be the first (RELAY-12)', async () => {
    await intruder.change(RUBBISH);
    expect(await find()).toBeUndefined();
    expect(await swap(undefined, 'one')).toBe('one');
    expect(await find()).toBe('one');
    expect(await swap(undefined, 'two')).toBe('one');
  });

  it('is not what anybody left there (RELAY-12)', async () => {
    await swap(undefined, 'one');
    await intruder.change(RUBBISH);
    expect(await swap('one', 'two')).toBeUndefined();
    expect(await intruder.find('record')).toEqual({ standing: 'rubbish' });
  });

  it('can be removed by who finds it (RELAY-12)', async () => {
    await intruder.change(RUBBISH);
    expect(await swap(undefined, undefined)).toBeUndefined();
    expect(await intruder.find('record')).toBeUndefined();
  });

  it('goes to one of several who find it (RELAY-12)', async () => {
    await intruder.change(RUBBISH);
    const records = new SealedRecords(new Keyring([SECRET]), '/mcp');
    let isFirst = true;
    // Between the look and the change of the one, the other is faster.
    const slow = new Proxy(intruder, {
      get: (target, name) =>
        name !== 'swap'
          ? Reflect.get(target, name)
          : async (change: Parameters<ClusterConnection['swap']>[0]) => {
              if (!isFirst) await swap(undefined, 'the other');
              isFirst = false;
              return target.swap(change);
            },
    });
    const view = new EncryptedState(() => slow, records, { select: () => [] });
    expect(await swap(undefined, 'the one', view)).toBe('the other');
    expect(await find()).toBe('the other');
  });
});
