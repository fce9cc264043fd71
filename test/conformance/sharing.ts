import { Redis } from 'ioredis';
import { redisCluster } from 'nestjs-mcp/redis';
import type { FixtureOptions } from './fixtures/fixture.module.js';

/** What makes the fixture one server with others of it. */
export interface Sharing {
  readonly options: Pick<FixtureOptions, 'secret' | 'cluster'>;
  /** Ends the connection, after the fixture. */
  stop(): void;
}

const PREFIX = 'fixture';
/** What is ready has joined, however busy the machine is. */
const START_MS = 30_000;

/** Shares what the environment names: the secret, and a Redis. Pipes and a fixture without sessions have nothing to share by it. */
export function share({ REDIS_URL, MCP_SECRET, STATELESS, TRANSPORT }: NodeJS.ProcessEnv): Sharing {
  const secret = MCP_SECRET === undefined ? {} : { secret: MCP_SECRET };
  const isAlone = REDIS_URL === undefined || STATELESS === '1' || TRANSPORT === 'stdio';
  if (isAlone) return { options: secret, stop: () => undefined };
  const client = new Redis(REDIS_URL);
  // What is wrong with it the server says, in its log.
  client.on('error', () => undefined);
  return {
    options: { ...secret, cluster: redisCluster({ client, prefix: PREFIX, startTimeoutMs: START_MS }) },
    stop: () => client.disconnect(),
  };
}
