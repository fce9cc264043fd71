import { randomBytes } from 'node:crypto';
import { Balancer } from './processes/balancer.js';
import { RedisProcess } from './processes/redis.js';
import { ServerProcess } from './processes/server-process.js';

const NAMES = ['process 1', 'process 2', 'process 3'];

export interface Started {
  /** Where the balancer is. */
  readonly url: URL;
  readonly redisUrl: string;
  readonly processes: readonly ServerProcess[];
  stop(): Promise<void>;
}

/** Starts a Redis, three processes of one server, and a balancer before them; port 0 is a free one. */
export async function start(port: number): Promise<Started> {
  const redis = await RedisProcess.start();
  const secret = process.env['MCP_SECRET'] ?? randomBytes(32).toString('base64url');
  const environment = { REDIS_URL: redis.url, MCP_SECRET: secret };
  const processes = await Promise.all(NAMES.map((name) => ServerProcess.start(name, environment)));
  const balancer = new Balancer(processes);
  const url = await balancer.listen(port);
  return {
    url,
    redisUrl: redis.url,
    processes,
    stop: async () => {
      await Promise.all(processes.map((each) => each.end('SIGTERM')));
      balancer.close();
      redis.stop();
    },
  };
}
