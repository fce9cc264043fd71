import { spawnSync } from 'node:child_process';
import { RedisServer } from '../support/redis/redis-server.js';

let started: Promise<RedisServer> | undefined;

/** Tells whether there is a Redis on the machine: `REDIS_SERVER` says where, if not on the path. */
export function hasRedis(): boolean {
  const { REDIS_SERVER = 'redis-server' } = process.env;
  return spawnSync(REDIS_SERVER, ['--version']).status === 0;
}

/** Gives a Redis of the bench's own, which all its servers have. */
export async function findRedisUrl(): Promise<string> {
  started ??= RedisServer.start();
  return (await started).url;
}

export async function stopRedis(): Promise<void> {
  await (await started)?.stop();
}
