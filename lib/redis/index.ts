export { redisCluster } from './redis-cluster.js';
export { redisTaskStore } from './redis-task-store.js';
export type { RedisTaskStoreOptions } from './settings/redis-task-store-options.js';
export type { RedisClusterOptions } from './settings/redis-cluster-options.js';
export type { IoredisClient, NodeRedisClient, RedisClient } from './clients/redis-client.interface.js';
export { RedisError, type RedisErrorCode } from './commands/redis.error.js';
