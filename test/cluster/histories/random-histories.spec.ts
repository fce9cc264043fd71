import { afterEach, describe, expect, it } from '@jest/globals';
import { ProcessCluster } from '../../support/cluster/process-cluster.js';
import { Dice, SEED } from '../../support/dice.js';
import { RedisServer } from '../../support/redis/redis-server.js';
import { RandomWalk } from './random-walk.js';
import { FAULTS, LOSSES, SMALL_STEPS, type Step } from './steps.js';

/** How many steps are taken, of both walks together: the environment may say another number. */
const STEPS = Number(process.env.HISTORY_STEPS ?? 1_000);
const REPEAT = `FUZZ_SEED=${SEED} HISTORY_STEPS=${STEPS} npm run test:redis -- histories`;

/** A bound for what never ends: a step takes a tenth of that. */
const STEP_MS = 1_000;
const FAULTS_SHOWN = 20;

let redis: RedisServer;
let cluster: ProcessCluster;
let walk: RandomWalk;

afterEach(async () => {
  await walk.close();
  await cluster.stop();
  await redis.stop();
}, 60_000);

/** What a walk is made of. */
interface Way {
  readonly weights: Partial<Record<Step, number>>;
  /** Entries that the log keeps. @default more than are published */
  readonly retention?: number;
}

/** Takes steps, and gives what is wrong; a failure says how to take the same steps again. */
async function take(steps: number, { weights, retention }: Way): Promise<readonly string[]> {
  process.stdout.write(`${steps} random steps: ${REPEAT}\n`);
  redis = await RedisServer.start({ keepsData: true });
  cluster = await ProcessCluster.start({
    redis,
    ...(retention !== undefined && { environment: { RETENTION: `${retention}` } }),
  });
  walk = new RandomWalk(cluster, new Dice());
  try {
    await walk.begin();
    for (let step = 0; step < steps; step += 1) await walk.go(weights);
    const faults = await walk.end();
    const hidden = faults.length - FAULTS_SHOWN;
    const rest = hidden > 0 ? [`and ${hidden} more`] : [];
    return faults.length === 0 ? [] : [REPEAT, ...faults.slice(0, FAULTS_SHOWN), ...rest];
  } catch (error) {
    const last = walk.steps.slice(-10).join(', ');
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`${REPEAT} failed at step ${walk.steps.length} (${last}): ${cause}`, { cause: error });
  }
}

describe('What each client heard of a server that is ill-treated at random', () => {
  it(
    'is all that it was owed, in order, once, with the ids that others heard (RELAY-03) (RELAY-07)',
    async () => {
      const weights = { ...SMALL_STEPS, ...FAULTS };
      expect(await take(Math.ceil(STEPS / 2), { weights })).toEqual([]);
    },
    60_000 + STEPS * STEP_MS,
  );

  it(
    'lacks nothing of which it was not told that it is lost (RELAY-03) (RELAY-07)',
    async () => {
      const weights = { ...SMALL_STEPS, ...FAULTS, ...LOSSES };
      expect(await take(Math.floor(STEPS / 2), { weights, retention: 1_000 })).toEqual([]);
    },
    60_000 + STEPS * STEP_MS,
  );
});
