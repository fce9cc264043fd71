import type { RedisServer } from '../../../support/redis/redis-server.js';

/** What Redis has done up to a time. */
export interface BusReading {
  /** Commands by their names, those that scripts ran included. */
  readonly calls: ReadonlyMap<string, number>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly atMs: number;
}

/** What Redis does for one of something, besides what it does all the time. */
export interface BusCost {
  readonly calls: readonly (readonly [name: string, count: number])[];
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** What Redis holds. */
export interface Held {
  readonly keys: number;
  readonly bytes: number;
}

export async function readHeld(redis: RedisServer): Promise<Held> {
  const memory = String(await redis.send('INFO', 'memory'));
  return { keys: Number(await redis.send('DBSIZE')), bytes: readField(memory, 'used_memory') };
}

export async function readBus(redis: RedisServer): Promise<BusReading> {
  const [commands, stats] = await Promise.all(
    ['commandstats', 'stats'].map(async (section) => String(await redis.send('INFO', section))),
  );
  const calls = [...(commands ?? '').matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm)];
  return {
    calls: new Map(calls.map(([, name = '', count]) => [name, Number(count)])),
    bytesIn: readField(stats, 'total_net_input_bytes'),
    bytesOut: readField(stats, 'total_net_output_bytes'),
    atMs: performance.now(),
  };
}

/**
 * Gives what one of so many cost.
 *
 * @param idle two readings between which nothing happened: what Redis does all the time is taken off
 */
export function costOfEach(
  count: number,
  [before, after]: readonly [BusReading, BusReading],
  idle: readonly [BusReading, BusReading],
): BusCost {
  const background = (after.atMs - before.atMs) / (idle[1].atMs - idle[0].atMs);
  const compute = (pick: (reading: BusReading) => number) =>
    (pick(after) - pick(before) - (pick(idle[1]) - pick(idle[0])) * background) / count;
  return {
    calls: [...after.calls.keys()]
      .map((name) => [name, compute(({ calls }) => calls.get(name) ?? 0)] as const)
      .filter(([, calls]) => calls >= 0.05)
      .toSorted(([, one], [, other]) => other - one),
    bytesIn: compute(({ bytesIn }) => bytesIn),
    bytesOut: compute(({ bytesOut }) => bytesOut),
  };
}

function readField(info: string | undefined, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info ?? '')?.[1]);
}
