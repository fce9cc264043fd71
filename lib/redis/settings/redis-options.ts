import {
  asserting,
  type Check,
  day,
  fail,
  flag,
  milliseconds,
  nonEmptyString,
  positive,
  required,
  secrets,
} from '../../core/checks/option-checks.js';
import { optionGroup, type Rows, type Settings } from '../../core/checks/option-group.js';
import { McpConfigurationError } from '../../server/settings/mcp-configuration.error.js';
import { openLink } from '../clients/open-link.js';
import type { RedisClient } from '../clients/redis-link.js';

/** Limits of what callers may store in Redis. With `redisCluster()`, sessions and state have the same limits as tasks, separately. */
interface QuotaOptions {
  /** The maximum number of bytes per caller with a token. The oldest finished tasks are evicted first. @default 33_554_432 @see docs/scaling.md, "Bytes of each caller" */
  readonly maxBytesPerCaller?: number;
  /** The maximum number of bytes of all anonymous callers together. @default 33_554_432 */
  readonly maxAnonymousBytes?: number;
  /**
   * The maximum number of bytes of the anonymous callers at one address. IPv6 addresses count by their first 64 bits.
   * @default a tenth of `maxAnonymousBytes`, at least 8_388_608, at most half
   */
  readonly maxBytesPerAddress?: number;
}

/** The options with their defaults. */
export type QuotaSettings = Required<QuotaOptions>;

const DEFAULT_BYTES = 32 * 1024 * 1024;

/** The part of one address is one of so many. */
const ADDRESS_SHARE = 10;

/** With few bytes, the part is larger, so that the longest body fits in it. */
const LEAST_OF_ADDRESS = 8 * 1024 * 1024;

/** The rows of the limits that both options share. */
const QUOTAS: Rows<QuotaOptions> = {
  maxBytesPerCaller: [positive, DEFAULT_BYTES],
  maxAnonymousBytes: [positive, DEFAULT_BYTES],
  maxBytesPerAddress: [
    positive,
    ({ maxAnonymousBytes }) => {
      const least = Math.min(LEAST_OF_ADDRESS, maxAnonymousBytes / 2);
      return Math.floor(Math.max(maxAnonymousBytes / ADDRESS_SHARE, least));
    },
  ],
};

/** Options of {@link redisCluster}. */
export interface RedisClusterOptions extends QuotaOptions {
  /** A client of `ioredis` or `redis`, version 5 or later. The application makes, connects and closes it. */
  readonly client: RedisClient;
  /** The beginning of all keys. Choose another one for each application and environment on the same Redis. Keys that are derived from `secret` depend on it. @default 'nestjs-mcp' @see docs/scaling.md, "What an attacker can do" */
  readonly prefix?: string;
  /** About how many entries the log retains for clients that reconnect. @default 10_000 */
  readonly maxEntries?: number;
  /** About how many bytes of entries the log retains. @default 67_108_864 */
  readonly maxBytes?: number;
  /** Milliseconds to wait for a command. After that, Redis counts as unavailable. @default 1_000 */
  readonly commandTimeoutMs?: number;
  /** Milliseconds between the heartbeats of a process. @default 500 */
  readonly heartbeatMs?: number;
  /** Milliseconds without a heartbeat after which a process counts as dead, at least twice `heartbeatMs`. @default 10_000 @see docs/scaling.md, "Processes that stand still" */
  readonly deadAfterMs?: number;
  /** Milliseconds that the start of the application waits for Redis. @default 5_000 */
  readonly startTimeoutMs?: number;
  /** Whether the application fails to start if Redis is unavailable, instead of starting alone. @default false */
  readonly required?: boolean;
}

/** The options of {@link redisCluster} with their defaults. */
export type RedisSettings = Settings<RedisClusterOptions>;

/** The log removes about this many entries in one step, so that a smaller limit would have no effect. */
const FEWEST_ENTRIES = 100;

/** Checks the prefix of keys. */
const prefix: Check = (option, value) => {
  if (typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value)) return;
  fail(option, 'must be 1 to 100 letters, digits, ".", ":", "_" or "-", such as "shop:staging"');
};

/** Milliseconds after which a process counts as dead. Garbage collection and virtual machine migration are shorter. */
const DEAD_AFTER_MS = 10_000;

/** The fewest heartbeats within `deadAfterMs`, so that one may be lost. */
const FEWEST_BEATS = 2;

const entries: Check = (option, value) => {
  positive(option, value);
  if (Number(value) < FEWEST_ENTRIES) fail(option, `must be at least ${FEWEST_ENTRIES}`);
};

export const REDIS_CLUSTER = optionGroup<RedisClusterOptions>(
  {
    client: required(openLink),
    prefix: [prefix, 'nestjs-mcp'],
    maxEntries: [entries, 10_000],
    maxBytes: [positive, 64 * 1024 * 1024],
    ...QUOTAS,
    commandTimeoutMs: [milliseconds, 1000],
    heartbeatMs: [milliseconds, 500],
    deadAfterMs: [milliseconds, ({ heartbeatMs }) => Math.max(DEAD_AFTER_MS, FEWEST_BEATS * heartbeatMs)],
    startTimeoutMs: [milliseconds, 5000],
    required: [flag, false],
  },
  { together: assertDeadAfter },
);

/** Checks the options, and applies defaults. */
export function buildRedisSettings(options: RedisClusterOptions): RedisSettings {
  asserting(McpConfigurationError, () => REDIS_CLUSTER.check('redisCluster', options));
  return REDIS_CLUSTER.build(options);
}

function assertDeadAfter(option: string, options: RedisClusterOptions): void {
  const { deadAfterMs, heartbeatMs } = REDIS_CLUSTER.build(options);
  if (deadAfterMs >= FEWEST_BEATS * heartbeatMs) return;
  fail(
    `${option}.deadAfterMs`,
    `must be at least ${FEWEST_BEATS} times "heartbeatMs", which is ${heartbeatMs}`,
  );
}

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
  /** The most tasks of one caller. The oldest finished ones are evicted first. @default 1_000 */
  readonly maxTasksPerCaller?: number;
  /** Milliseconds to wait for a command. @default 1_000 */
  readonly commandTimeoutMs?: number;
}

export const REDIS_TASK_STORE = optionGroup<RedisTaskStoreOptions, 'secret' | 'acceptFormerFormatUntil'>({
  client: required(openLink),
  prefix: [prefix, 'nestjs-mcp'],
  server: [nonEmptyString, '/mcp'],
  secret: secrets,
  acceptFormerFormatUntil: day,
  maxTasksPerCaller: [positive, 1000],
  ...QUOTAS,
  commandTimeoutMs: [milliseconds, 1000],
});
