import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { SharedChanges, type SharedChange } from '../../../../lib/server/catalog/shared-changes.js';
import { DistributedBus } from '../../../../lib/server/cluster/distributed-bus.js';
import { until } from '../../../support/until.js';

/** More than may wait. */
const MANY = 1100;

describe('SharedChanges', () => {
  let buses: DistributedBus[];
  let here: SharedChange<number>;
  let there: SharedChange<number>;
  let made: { here: number[]; there: number[] };
  let missed: number;
  /** What changes wait for in the other process. */
  let gate: Promise<void>;
  let open: () => void;

  beforeEach(async () => {
    const engine = memoryCluster();
    buses = [0, 1].map(() => new DistributedBus(engine, '/mcp', new Keyring(['a secret'])));
    await Promise.all(buses.map((bus) => bus.onModuleInit()));
    [made, missed] = [{ here: [], there: [] }, 0];
    gate = new Promise((resolve) => (open = resolve));
    const [one, other] = [new SharedChanges(), new SharedChanges()];
    here = one.share('count', (number: number) => void made.here.push(number), {});
    const makeThere = async (number: number): Promise<void> => {
      await gate;
      made.there.push(number);
    };
    there = other.share('count', makeThere, { onGap: () => void (missed += 1) });
    for (const [index, changes] of [one, other].entries()) changes.open(buses[index]!);
  });

  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.onApplicationShutdown()));
  });

  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('keep a bounded number waiting in a process that makes them slowly, and have it read what it missed (FAIR-03)', async () => {
    for (const number of numbers(MANY)) await here(number);
    await until(() => buses[1]!.position?.number === buses[0]!.position?.number, 'all to be told there');
    open();
    await until(() => missed > 0, 'what was missed');
    expect([made.here.length, made.there, missed]).toEqual([MANY, numbers(1000), 1]);
    await here(MANY);
    await until(() => made.there.length > 1000, 'what comes next');
    expect(made.there.at(-1)).toBe(MANY);
  });

  it('are refused to whoever makes more than may wait (FAIR-03)', async () => {
    const wanted = numbers(MANY).map((number) => there(number));
    open();
    const settled = await Promise.allSettled(wanted);
    expect(settled.slice(0, 1000).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(settled.at(-1)).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('cannot be made now') },
    });
    await expect(there(MANY)).resolves.toBeUndefined();
  });
});
