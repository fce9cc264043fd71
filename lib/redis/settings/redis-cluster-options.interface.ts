import type { RedisClient } from '../clients/redis-client.interface.js';
import type { QuotaOptions } from './quota-settings.js';

/** Options of {@link redisCluster}. */
export interface RedisClusterOptions extends QuotaOptions {
  /** A client of `ioredis` or `redis`, version 5 or later. The application makes, connects and closes it. */
  readonly client: RedisClient;
  /** The beginning of all keys. Choose another one for each application and environment on the same Redis. @default 'nestjs-mcp' */
  readonly prefix?: string;
  /** About how many entries the log keeps for clients that come back. @default 10_000 */
  readonly maximumEntries?: number;
  /** About how many bytes these entries have. @default 67_108_864 */
  readonly maximumBytes?: number;
  /** Milliseconds that Redis may take for a command. After that, it counts as out of reach. @default 1_000 */
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
