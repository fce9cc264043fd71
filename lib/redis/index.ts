export { redisCluster } from './redis-cluster.js';
export { redisTaskStore } from './redis-task-store.js';
export type { RedisTaskStoreOptions } from './settings/redis-options.js';
export type { RedisClusterOptions } from './settings/redis-options.js';
export type { IoredisClient, NodeRedisClient, RedisClient } from './clients/redis-link.js';
export { RedisError, type RedisErrorCode } from './commands/redis.error.js';
