import { day, milliseconds, positive, required, secrets, text } from '../../core/checks/option-checks.js';
import { optionGroup } from '../../core/checks/option-group.js';
import { openLink } from '../clients/open-link.js';
import type { RedisClient } from '../clients/redis-client.interface.js';
import { QUOTAS, type QuotaOptions } from './quota-options.js';
import { prefix } from './redis-cluster-options.js';

/** Options of {@link redisTaskStore}. */
export interface RedisTaskStoreOptions extends QuotaOptions {
  /** A client of `ioredis` or `redis`, version 5 or later. The application makes, connects and closes it. */
  readonly client: RedisClient;
  /** The beginning of all keys. Choose another one for each application and environment on the same Redis. @default 'nestjs-mcp' */
  readonly prefix?: string;
  /** The name of the server. Choose another one for each server of an application. @default '/mcp' */
  readonly server?: string;
  /** Encrypts tasks (AES-256-GCM), for this `prefix` and `server`. Of several secrets, the first one encrypts and all can decrypt. Tasks that are not encrypted are then ignored. Without a secret, anyone who can write in Redis can forge tasks. @default they are readable in Redis */
  readonly secret?: string | readonly string[];
  /** The day, such as `2027-01-31`, until which a starting process also decrypts what the release before encrypted. @default not accepted */
  readonly acceptFormerFormatUntil?: string;
  /** How many tasks of one owner are kept. The oldest finished ones make room for others. @default 1_000 */
  readonly maxTasksPerCaller?: number;
  /** Milliseconds that Redis may take for a command. @default 1_000 */
  readonly commandTimeoutMs?: number;
}

export const REDIS_TASK_STORE = optionGroup<RedisTaskStoreOptions, 'secret' | 'acceptFormerFormatUntil'>({
  client: required(openLink),
  prefix: [prefix, 'nestjs-mcp'],
  server: [text, '/mcp'],
  secret: secrets,
  acceptFormerFormatUntil: day,
  maxTasksPerCaller: [positive, 1000],
  ...QUOTAS,
  commandTimeoutMs: [milliseconds, 1000],
});
