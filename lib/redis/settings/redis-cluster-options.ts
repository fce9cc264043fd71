import { asserting } from '../../core/checks/asserting.js';
import { fail, flag, milliseconds, positive, required, type Check } from '../../core/checks/option-checks.js';
import { optionGroup, type Settings } from '../../core/checks/option-group.js';
import { McpConfigurationError } from '../../server/settings/mcp-configuration.error.js';
import { openLink } from '../clients/open-link.js';
import type { RedisClient } from '../clients/redis-client.interface.js';
import { QUOTAS, type QuotaOptions } from './quota-options.js';

/** Options of {@link redisCluster}. */
export interface RedisClusterOptions extends QuotaOptions {
  /** A client of `ioredis` or `redis`, version 5 or later. The application makes, connects and closes it. */
  readonly client: RedisClient;
  /** The beginning of all keys. Choose another one for each application and environment on the same Redis. Keys that are derived from `secret` depend on it. @default 'nestjs-mcp' @see docs/scaling.md, "What an attacker can do" */
  readonly prefix?: string;
  /** About how many entries the log keeps for clients that come back. @default 10_000 */
  readonly maxEntries?: number;
  /** About how many bytes these entries have. @default 67_108_864 */
  readonly maxBytes?: number;
  /** Milliseconds that Redis may take for a command. After that, it counts as out of reach. @default 1_000 */
  readonly commandTimeoutMs?: number;
  /** Milliseconds between the signs of life of a process. @default 500 */
  readonly heartbeatMs?: number;
  /** Milliseconds without a sign of life after which a process counts as dead, at least twice `heartbeatMs`. @default 10_000 @see docs/scaling.md, "Processes that stand still" */
  readonly deadAfterMs?: number;
  /** Milliseconds that the start of the application waits for Redis. @default 5_000 */
  readonly startTimeoutMs?: number;
  /** Whether the application fails to start if Redis is out of reach, instead of starting alone. @default false */
  readonly required?: boolean;
}

/** The options of {@link redisCluster} with their defaults. */
export type RedisSettings = Settings<RedisClusterOptions>;

/** The log removes about this many entries at once, so that a smaller bound would have no effect. */
const FEWEST_ENTRIES = 100;

/** Checks the prefix of keys. */
export const prefix: Check = (option, value) => {
  if (typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value)) return;
  fail(option, 'must be 1 to 100 letters, digits, ".", ":", "_" or "-", such as "shop:staging"');
};

/** Milliseconds after which a process counts as dead. Garbage collection, and moving a virtual machine, take less. */
const DEAD_AFTER_MS = 10_000;

/** Signs of life within `deadAfterMs`, of which one may get lost. */
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

/** Checks the options, and fills in what was left out. */
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
