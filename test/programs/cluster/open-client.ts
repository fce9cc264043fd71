import { Redis as IoRedis } from 'ioredis';
import { Redis as IoRedis5 } from 'ioredis-5';
import { createClient } from 'redis';
import { createClient as createClient5 } from 'redis-5';

/** A client of Redis, and what ends it: the server leaves that to who made it. */
export interface OpenedClient {
  readonly client: IoRedis | ReturnType<typeof createClient>;
  close(): void;
}

/** Makes a client by a package, as an application would, and does not wait until it is connected. */
export async function openClient(url: string, packageName = 'ioredis'): Promise<OpenedClient> {
  if (packageName.startsWith('ioredis')) {
    const client = packageName === 'ioredis-5' ? (new IoRedis5(url) as unknown as IoRedis) : new IoRedis(url);
    client.on('error', () => undefined);
    return { client, close: () => client.disconnect() };
  }
  const create = packageName === 'redis-5' ? (createClient5 as unknown as typeof createClient) : createClient;
  const client = create({ url });
  client.on('error', () => undefined);
  void client.connect().catch(() => undefined);
  return { client: client as OpenedClient['client'], close: () => client.destroy() };
}
