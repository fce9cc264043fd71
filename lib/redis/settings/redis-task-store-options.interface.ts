import type { RedisClient } from '../clients/redis-client.interface.js';

/** Options of {@link redisTaskStore}. */
export interface RedisTaskStoreOptions {
  /** A client of `ioredis` or of `redis`, version 5 or later: the application makes, connects and closes it. */
  readonly client: RedisClient;
  /** The beginning of all keys: another one for each application and environment on the same Redis. @default 'nestjs-mcp' */
  readonly prefix?: string;
  /** Tells apart the servers of one application. @default '/mcp' */
  readonly server?: string;
  /** Encrypts tasks (AES-256-GCM). Of several secrets, the first one encrypts and all can decrypt. @default they are readable in Redis */
  readonly secret?: string | readonly string[];
  /** Tasks of one owner that are kept; the oldest that are over make room. @default 1_000 */
  readonly maximumPerOwner?: number;
  /** Milliseconds until a command is given up. @default 1_000 */
  readonly commandTimeoutMs?: number;
}
