import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { createClient } from 'redis';
import { createClient as createClient5 } from 'redis-5';
import type { RedisClient } from 'nestjs-mcp/redis';

/** A client of Redis that a spec made. */
export interface MadeClient {
  readonly client: RedisClient;
  close(): void;
}

const ignore = (): undefined => undefined;

function keepIoredis(client: Redis | Redis5): MadeClient {
  client.on('error', ignore);
  return { client, close: () => client.disconnect() };
}

async function keepNodeRedis(
  client: ReturnType<typeof createClient> | ReturnType<typeof createClient5>,
): Promise<MadeClient> {
  client.on('error', ignore);
  await client.connect();
  return { client, close: () => client.destroy() };
}

/** Each client that the engine takes, by its name and version, for one Redis. */
export const REDIS_CLIENTS: Readonly<Record<string, (url: string) => MadeClient | Promise<MadeClient>>> = {
  'ioredis 6': (url) => keepIoredis(new Redis(url)),
  'ioredis 5': (url) => keepIoredis(new Redis5(url)),
  'redis 6': (url) => keepNodeRedis(createClient({ url })),
  'redis 5': (url) => keepNodeRedis(createClient5({ url })),
};
