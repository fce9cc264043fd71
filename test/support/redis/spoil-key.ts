import type { RedisServer } from './redis-server.js';

/** What a key of Redis can be. */
export const REDIS_TYPES = ['string', 'list', 'hash', 'set', 'zset', 'stream'] as const;
export type RedisType = (typeof REDIS_TYPES)[number];

/** The highest id of a stream: nothing can be added behind it. */
export const HIGHEST_ID = '18446744073709551615-18446744073709551615';

const REPLACE = "redis.call('DEL', KEYS[1]) return redis.call(unpack(ARGV))";

/** Replaces a key by rubbish of a type, in one step. */
export async function spoilKey(redis: RedisServer, key: string, type: RedisType): Promise<void> {
  const rubbish: Readonly<Record<RedisType, readonly string[]>> = {
    string: ['SET', key, 'rubbish'],
    list: ['RPUSH', key, 'rubbish'],
    hash: ['HSET', key, 'rubbish', 'rubbish'],
    set: ['SADD', key, 'rubbish'],
    zset: ['ZADD', key, 'inf', 'rubbish'],
    stream: ['XADD', key, HIGHEST_ID, 'rubbish', 'rubbish'],
  };
  await redis.send('EVAL', REPLACE, 1, key, ...rubbish[type]);
}
