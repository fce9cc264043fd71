import { NodeProgram } from '../programs/node-program.js';
import { RedisServer } from '../redis/redis-server.js';
import { Balancer, type Choice } from './balancer.js';

const PROGRAMS = {
  /** What its handlers do is in `test/programs/cluster`. */
  server: '.build/test/programs/cluster-server.js',
  fixture: '.build/test/conformance/server.js',
  limited: '.build/test/programs/limited-server.js',
};
const SECRET = 'the secret that all processes of the server have';

/** What one process is started with. */
export interface ProcessParts {
  /** @default 'server' */
  readonly program?: keyof typeof PROGRAMS;
  readonly environment?: NodeJS.ProcessEnv;
  readonly nodeOptions?: readonly string[];
}

/** One process of the server. */
export class ClusterProcess extends NodeProgram {
  /** Starts one and waits until it listens. */
  static async start({
    program = 'server',
    environment,
    nodeOptions,
  }: ProcessParts): Promise<ClusterProcess> {
    const started = new ClusterProcess(PROGRAMS[program], environment, nodeOptions);
    await started.prints('ready').catch(async (error: unknown) => {
      await started.stop('SIGKILL');
      throw error;
    });
    return started;
  }

  /** Its own MCP endpoint, without the balancer. */
  get url(): string {
    return /ready (\S+)/.exec(this.stdout)?.[1] ?? '';
  }

  get origin(): string {
    return new URL(this.url).origin;
  }
}

/** What a cluster is started with. */
export interface ClusterParts extends ProcessParts {
  /** @default 3 */
  readonly count?: number;
  /** @default one of its own, which ends with it */
  readonly redis?: RedisServer;
  /** @default at random, by a seed */
  readonly choose?: Choice;
  /** What is different in one process, by its index. */
  readonly differences?: (index: number) => ProcessParts;
}

/** Several processes that are one server, the Redis that they share, and the balancer before them. */
export class ProcessCluster {
  private constructor(
    readonly redis: RedisServer,
    readonly processes: ClusterProcess[],
    readonly balancer: Balancer,
    private readonly parts: ClusterParts,
  ) {}

  /**
   * Starts the processes, and waits until all of them listen.
   *
   * @example
   * const cluster = await ProcessCluster.start();
   * const session = await initialize(cluster.url);
   */
  static async start(parts: ClusterParts = {}): Promise<ProcessCluster> {
    const redis = parts.redis ?? (await RedisServer.start());
    const indexes = Array.from({ length: parts.count ?? 3 }, (_, index) => index);
    const started = await Promise.allSettled(
      indexes.map((index) => ClusterProcess.start(partsOf(parts, redis, index))),
    );
    const processes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const balancer = await Balancer.start(
      processes.map(({ origin }) => origin),
      parts.choose,
    );
    const cluster = new ProcessCluster(redis, processes, balancer, parts);
    const failed = started.find((each) => each.status === 'rejected');
    if (failed === undefined) return cluster;
    await cluster.stop();
    throw failed.reason;
  }

  /** The endpoint of the balancer. */
  get url(): string {
    return this.balancer.url;
  }

  /** The endpoint of one process. */
  urlOf(index: number): string {
    return this.at(index).url;
  }

  at(index: number): ClusterProcess {
    const found = this.processes[index];
    if (found === undefined) throw new Error(`The cluster has no process ${index}`);
    return found;
  }

  /** Finds a process by the pid that its tools say. */
  findByText(text: string): number {
    const pid = Number(/(\d+)$/.exec(text)?.[1]);
    return this.processes.findIndex((each) => each.pid === pid);
  }

  /** Starts one in the place of another, which should have ended; it may differ from it. */
  async replace(index: number, other: ProcessParts = {}): Promise<ClusterProcess> {
    const parts = partsOf(this.parts, this.redis, index);
    const environment = { ...parts.environment, ...other.environment };
    const started = await ClusterProcess.start({ ...parts, ...other, environment });
    this.processes[index] = started;
    this.balancer.origins[index] = started.origin;
    return started;
  }

  async stop(): Promise<void> {
    await this.balancer.stop();
    await Promise.all(this.processes.map((each) => each.stop('SIGKILL')));
    if (this.parts.redis === undefined) await this.redis.stop();
  }
}

function partsOf(parts: ClusterParts, redis: RedisServer, index: number): ProcessParts {
  const different = parts.differences?.(index) ?? {};
  return {
    ...parts,
    ...different,
    environment: {
      PORT: '0',
      REDIS_URL: redis.url,
      MCP_SECRET: SECRET,
      ...parts.environment,
      ...different.environment,
    },
  };
}
