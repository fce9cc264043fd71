import { initialize } from '../../../../support/clients/json-rpc.js';
import { callTool } from '../../../../support/clients/tools.js';
import { TcpLink } from '../../../../support/cluster/tcp-link.js';
import { RedisServer } from '../../../../support/redis/redis-server.js';
import { until } from '../../../../support/until.js';
import { Scene, type Observed } from './scene.js';

/** Something that goes wrong, and what to see it by. */
export interface Outage {
  readonly name: string;
  /** Gives what clients saw, or one time that says it all, in milliseconds. */
  run(): Promise<Observed | number>;
}

const OUTAGE_MS = 3000;
/** What a replica may take until it is in step. */
const REPLICATION_MS = 60_000;

export const OUTAGES: readonly Outage[] = [
  { name: 'nothing goes wrong', run: () => observe(() => undefined) },
  {
    name: 'a process is killed',
    run: () => observe(({ cluster }) => cluster.at(1).signal('SIGKILL')),
  },
  { name: 'the call of a killed process is answered by another one', run: answerForDead },
  {
    name: 'a process stops for 3 s',
    run: () =>
      observe(
        ({ cluster }) => cluster.at(1).signal('SIGSTOP'),
        ({ cluster }) => cluster.at(1).signal('SIGCONT'),
      ),
  },
  {
    name: 'SIGTERM to a process that the balancer leaves out',
    run: () => observe((scene) => scene.terminate(1)),
  },
  { name: 'Redis is away for 3 s, and has its data', run: () => restart(true) },
  { name: 'Redis is away for 3 s, and is empty', run: () => restart(false) },
  {
    name: 'Redis hangs for 3 s',
    run: () =>
      observe(
        ({ cluster }) => cluster.redis.pause(),
        ({ cluster }) => cluster.redis.resume(),
      ),
  },
  {
    name: 'Redis ends every connection',
    run: () => observe(({ cluster }) => cluster.redis.send('CLIENT', 'KILL', 'TYPE', 'normal')),
  },
  {
    name: 'Redis is full for 3 s',
    run: () =>
      observe(
        ({ cluster }) => cluster.redis.send('CONFIG', 'SET', 'maxmemory', '1'),
        ({ cluster }) => cluster.redis.send('CONFIG', 'SET', 'maxmemory', '0'),
      ),
  },
  { name: 'a replica is promoted after 3 s', run: promote },
  { name: 'one process does not reach Redis for 3 s', run: cutOff },
  { name: '10,000 messages in a row', run: crowd },
];

type Act = (scene: Scene) => unknown;

async function observe(
  lose: Act,
  repair?: Act,
  parts?: Parameters<typeof Scene.start>[0],
): Promise<Observed> {
  const scene = await Scene.start(parts);
  try {
    return await scene.observe(() => lose(scene), {
      lastsMs: OUTAGE_MS,
      ...(repair !== undefined && { repair: () => repair(scene) }),
    });
  } finally {
    await scene.end();
  }
}

async function restart(keepsData: boolean): Promise<Observed> {
  const redis = await RedisServer.start({ keepsData });
  try {
    return await observe(
      () => redis.kill(),
      () => redis.start(),
      { redis },
    );
  } finally {
    await redis.stop();
  }
}

/** Leads one process, or all, to Redis by a link that can be cut. */
async function throughLink(
  isLinked: (index: number) => boolean,
  run: (link: TcpLink, redis: RedisServer, parts: Parameters<typeof Scene.start>[0]) => Promise<Observed>,
): Promise<Observed> {
  const redis = await RedisServer.start();
  const link = await TcpLink.start(redis.port);
  const environment = { REDIS_URL: `redis://127.0.0.1:${link.port}` };
  try {
    return await run(link, redis, {
      redis,
      differences: (index) => (isLinked(index) ? { environment } : {}),
    });
  } finally {
    link.stop();
    await redis.stop();
  }
}

function cutOff(): Promise<Observed> {
  return throughLink(
    (index) => index === 1,
    (link, _redis, parts) =>
      observe(
        () => link.cut(),
        () => link.restore(),
        parts,
      ),
  );
}

async function promote(): Promise<Observed> {
  const replica = await RedisServer.start();
  try {
    return await throughLink(
      () => true,
      async (link, redis, parts) => {
        await replica.send('REPLICAOF', '127.0.0.1', redis.port);
        const isInStep = async () =>
          /master_link_status:up/.test(String(await replica.send('INFO', 'replication')));
        await until(isInStep, 'the replica', REPLICATION_MS);
        const failOver = async () => {
          await replica.send('REPLICAOF', 'NO', 'ONE');
          link.leadTo(replica.port);
        };
        return observe(() => redis.kill(), failOver, parts);
      },
    );
  } finally {
    await replica.stop();
  }
}

/** How long who comes back for an answer at another process waits for the error that says that there will be none. */
async function answerForDead(): Promise<number> {
  const scene = await Scene.start();
  try {
    const { cluster } = scene;
    const session = await initialize(cluster.urlOf(1));
    const params = { name: 'letGo', arguments: { ms: 600_000 }, _meta: { progressToken: 't' } };
    const stream = await session.start('tools/call', params).stream();
    await stream.ended;
    const killed = performance.now();
    await cluster.at(1).stop('SIGKILL');
    const back = await session.at(cluster.urlOf(2)).openStream({ lastEventId: stream.lastEventId });
    await back.nextMessage(({ error }) => error !== undefined, 30_000);
    return performance.now() - killed;
  } finally {
    await scene.end();
  }
}

/** How long it takes until clients of all processes have what one tells without a pause. */
async function crowd(): Promise<number> {
  const scene = await Scene.start();
  try {
    const begun = performance.now();
    await callTool(scene.cluster.urlOf(0), 'announce', { count: 10_000, from: 1_000_001 });
    await scene.hearsNumber(1_010_000);
    return performance.now() - begun;
  } finally {
    await scene.end();
  }
}
