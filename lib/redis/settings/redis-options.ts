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

/**
 * Limits on what callers may store in Redis. With `redisCluster()`, the same limits apply separately to sessions, to
 * state and to tasks.
 */
interface QuotaOptions {
  /** The maximum number of bytes per caller with a token. The oldest finished tasks are evicted first. @default 33_554_432 @see docs/scaling.md, "Bytes per caller" */
  readonly maxBytesPerCaller?: number;
  /** The maximum number of bytes for all anonymous callers combined. @default 33_554_432 */
  readonly maxAnonymousBytes?: number;
  /**
   * The maximum number of bytes for the anonymous callers at one address. For IPv6, only the first 64 bits count.
   * @default a tenth of `maxAnonymousBytes`, at least 8_388_608, at most half
   */
  readonly maxBytesPerAddress?: number;
}

/** The options with their defaults. */
export type QuotaSettings = Required<QuotaOptions>;

const DEFAULT_BYTES = 32 * 1024 * 1024;

/** By default, an address's share is the quota divided by this number. */
const ADDRESS_SHARE = 10;

/** In a small quota, the share is larger, so that the longest body fits in it. */
const LEAST_OF_ADDRESS = 8 * 1024 * 1024;

/** The rows for limits, which both option groups share. */
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
  /** A client from `ioredis` or `redis`, version 5 or later. The application creates, connects and closes it. */
  readonly client: RedisClient;
  /**
   * The prefix of all keys. Choose a different one for each application and environment on the same Redis. Keys
   * derived from `secret` depend on it. @default 'nestjs-mcp' @see docs/scaling.md, "What an attacker can do"
   */
  readonly prefix?: string;
  /** The approximate number of entries that the log retains for clients that reconnect. @default 10_000 */
  readonly maxEntries?: number;
  /** The approximate total size of the entries that the log retains, in bytes. @default 67_108_864 */
  readonly maxBytes?: number;
  /** A command's timeout, in milliseconds. After that, Redis is considered unavailable. @default 1_000 */
  readonly commandTimeoutMs?: number;
  /** A process's heartbeat interval, in milliseconds. @default 500 */
  readonly heartbeatMs?: number;
  /**
   * How long a process can go without a heartbeat before it is considered dead, in milliseconds; at least twice
   * `heartbeatMs`. @default 10_000 @see docs/scaling.md, "Processes that stand still"
   */
  readonly deadAfterMs?: number;
  /** How long the application waits for Redis at startup, in milliseconds. @default 5_000 */
  readonly startTimeoutMs?: number;
  /**
   * Whether the application fails to start if Redis is unavailable, instead of starting standalone.
   * @default false
   */
  readonly required?: boolean;
}

/** The options of {@link redisCluster} with their defaults. */
export type RedisSettings = Settings<RedisClusterOptions>;

/** The log removes about this many entries in one step, so a smaller limit would have no effect. */
const FEWEST_ENTRIES = 100;

/** Checks the key prefix. */
const prefix: Check = (option, value) => {
  if (typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value)) return;
  fail(option, 'must be 1 to 100 letters, digits, ".", ":", "_" or "-", such as "shop:staging"');
};

/**
 * Milliseconds after which a process is considered dead. Garbage collection pauses and virtual machine migrations are
 * shorter.
 */
const DEAD_AFTER_MS = 10_000;

/** The minimum number of heartbeats within `deadAfterMs`, so that one may be lost. */
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
  /** A client from `ioredis` or `redis`, version 5 or later. The application creates, connects and closes it. */
  readonly client: RedisClient;
  /**
   * The prefix of all keys. Choose a different one for each application and environment on the same Redis.
   * @default 'nestjs-mcp'
   */
  readonly prefix?: string;
  /** The server name. Choose a different one for each of an application's servers. @default '/mcp' */
  readonly server?: string;
  /**
   * Encrypts tasks (AES-256-GCM), for this `prefix` and `server`. If you pass several secrets, the first one encrypts
   * and all can decrypt. Unencrypted tasks are then ignored. Without a secret, anyone who can write to Redis can
   * forge tasks. @default none: tasks are readable in Redis
   */
  readonly secret?: string | readonly string[];
  /**
   * The day, such as `2027-01-31`, until which newly started processes also decrypt tasks that the previous release
   * encrypted. @default not accepted
   */
  readonly acceptFormerFormatUntil?: string;
  /** The maximum number of tasks per caller. The oldest finished ones are evicted first. @default 1_000 */
  readonly maxTasksPerCaller?: number;
  /** A command's timeout, in milliseconds. @default 1_000 */
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

/** Options of {@link redisAuthorizationStorage}. */
export interface RedisAuthorizationStorageOptions {
  /** A client from `ioredis` or `redis`, version 5 or later. The application creates, connects and closes it. */
  readonly client: RedisClient;
  /**
   * The prefix of all keys. Choose a different one for each application and environment on the same Redis.
   * @default 'nestjs-mcp'
   */
  readonly prefix?: string;
  /** Milliseconds to wait for a command. @default 1_000 */
  readonly commandTimeoutMs?: number;
}

export const REDIS_AUTHORIZATION_STORAGE = optionGroup<RedisAuthorizationStorageOptions>({
  client: required(openLink),
  prefix: [prefix, 'nestjs-mcp'],
  commandTimeoutMs: [milliseconds, 1000],
});
