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

/** A client that may never be connected. */
export interface ConnectingClient extends MadeClient {
  /** Settles once a client of `redis` is connected, or gives up. @default those of `ioredis` do not say */
  readonly connected?: Promise<unknown>;
}

const ignore = (): undefined => undefined;

function keepIoredis(client: Redis | Redis5): MadeClient {
  client.on('error', ignore);
  // Once it is closed, ioredis would keep the process for two seconds more.
  return { client, close: () => client.status === 'end' || client.disconnect() };
}

function keepNodeRedis(
  client: ReturnType<typeof createClient> | ReturnType<typeof createClient5>,
): ConnectingClient {
  client.on('error', ignore);
  const connected = client.connect();
  connected.catch(ignore);
  return { client, connected, close: () => client.isOpen && client.destroy() };
}

/** Each client that the engine takes, by its name and version, as it begins to connect to one Redis. */
export const CONNECTING_CLIENTS: Readonly<Record<string, (url: string) => ConnectingClient>> = {
  'ioredis 6': (url) => keepIoredis(new Redis(url)),
  'ioredis 5': (url) => keepIoredis(new Redis5(url)),
  'redis 6': (url) => keepNodeRedis(createClient({ url })),
  'redis 5': (url) => keepNodeRedis(createClient5({ url })),
};

/** The same, connected. */
export const REDIS_CLIENTS: Readonly<Record<string, (url: string) => Promise<MadeClient>>> =
  Object.fromEntries(
    Object.entries(CONNECTING_CLIENTS).map(([name, begin]) => [
      name,
      async (url) => {
        const made = begin(url);
        await made.connected;
        return made;
      },
    ]),
  );
