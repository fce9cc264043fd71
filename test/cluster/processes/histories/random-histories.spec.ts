import { afterEach, describe, expect, it } from '@jest/globals';
import { ProcessCluster } from '../../../support/cluster/process-cluster.js';
import { Dice, SEED } from '../../../support/dice.js';
import { RedisServer } from '../../../support/redis/redis-server.js';
import { AbsenceWalk } from './absence-walk.js';
import { ABSENCES, FAULTS, LOSSES, SMALL_STEPS } from './steps.js';
import type { Weights } from './random-walk.js';

/** How many steps are taken, of both walks together: the environment may say another number. */
const STEPS = Number(process.env.HISTORY_STEPS ?? 300);
/** Seeds of the walk around absences, from the first one on. */
const SEEDS = Number(process.env.HISTORY_SEEDS ?? 1);
const ABSENCE_STEPS = Math.ceil(STEPS / 50);
const REPEAT = `HISTORY_STEPS=${STEPS} npm run test:redis -- histories`;

/** A bound for what never ends: a step takes a tenth of that. */
const STEP_MS = 1_000;
const FAULTS_SHOWN = 20;

let redis: RedisServer;
let cluster: ProcessCluster;
let walk: AbsenceWalk;

afterEach(async () => {
  await walk.close();
  await cluster.stop();
  await redis.stop();
}, 60_000);

/** What a walk is made of. */
interface Way {
  readonly weights: Weights<AbsenceWalk>;
  readonly seed?: number;
  /** What the processes are started with. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Takes steps, and gives what is wrong; a failure says how to take the same steps again. */
async function take(
  steps: number,
  { weights, seed = SEED, environment = {} }: Way,
): Promise<readonly string[]> {
  const repeat = `FUZZ_SEED=${seed} ${REPEAT}`;
  process.stdout.write(`${steps} random steps: ${repeat}\n`);
  redis = await RedisServer.start({ keepsData: true });
  cluster = await ProcessCluster.start({ redis, environment });
  walk = new AbsenceWalk(cluster, new Dice(seed));
  try {
    await walk.begin();
    for (let step = 0; step < steps; step += 1) await walk.go(weights);
    const faults = await walk.end();
    const found = [`${faults.length} faults`, ...faults.slice(0, FAULTS_SHOWN)].join('\n  ');
    process.stdout.write(`seed ${seed}: ${walk.steps.length} steps, ${found}\n`);
    const hidden = faults.length - FAULTS_SHOWN;
    const rest = hidden > 0 ? [`and ${hidden} more`] : [];
    return faults.length === 0 ? [] : [repeat, ...faults.slice(0, FAULTS_SHOWN), ...rest];
  } catch (error) {
    const last = walk.steps.slice(-10).join(', ');
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`${repeat} failed at step ${walk.steps.length} (${last}): ${cause}`, { cause: error });
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
      expect(await take(Math.floor(STEPS / 2), { weights, environment: { RETENTION: '1000' } })).toEqual([]);
    },
    60_000 + STEPS * STEP_MS,
  );

  it.each(Array.from({ length: SEEDS }, (_, index) => SEED + index))(
    'is each entry once, in order and above its level, around absences of Redis and processes: seed %i (RELAY-03) (RELAY-07) (RELAY-15)',
    async (seed) => {
      const weights = { say: 8, burst: 3, changeInterest: 6, lose: 6, leave: 2, comeBack: 3, ...ABSENCES };
      // Processes notice soon that Redis is away.
      const environment = { COMMAND_TIMEOUT_MS: '300' };
      expect(await take(ABSENCE_STEPS, { weights, seed, environment })).toEqual([]);
    },
    120_000 + ABSENCE_STEPS * 10 * STEP_MS,
  );
});
