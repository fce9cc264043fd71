import type { RedisClient } from '../clients/redis-client.interface.js';

/** Options of {@link redisCluster}. */
export interface RedisClusterOptions {
  /** A client of `ioredis` or of `redis`, version 5 or later: the application makes, connects and closes it. */
  readonly client: RedisClient;
  /** The beginning of all keys: another one for each application and environment on the same Redis. @default 'nestjs-mcp' */
  readonly prefix?: string;
  /** Entries that the log keeps for clients that come back, approximately. @default 10_000 */
  readonly maximumEntries?: number;
  /** Bytes of these entries, approximately. @default 67_108_864 */
  readonly maximumBytes?: number;
  /** Milliseconds until a command is given up, and Redis counts as out of reach. @default 1_000 */
  readonly commandTimeoutMs?: number;
  /** Milliseconds between the signs of life of a process. @default 500 */
  readonly heartbeatMs?: number;
  /** Milliseconds without a sign of life after which a process counts as dead, at least twice `heartbeatMs`. @default 10_000 */
  readonly deadAfterMs?: number;
  /** Milliseconds that the start of the application waits for Redis. @default 5_000 */
  readonly startTimeoutMs?: number;
  /** Whether the application fails to start if Redis is out of reach, instead of starting alone. @default false */
  readonly required?: boolean;
}
