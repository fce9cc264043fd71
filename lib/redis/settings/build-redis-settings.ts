import { asserting } from '../../core/checks/asserting.js';
import {
  assertMembers,
  fail,
  flag,
  milliseconds,
  positive,
  type Check,
  type Checks,
} from '../../core/checks/option-checks.js';
import { McpConfigurationError } from '../../server/settings/mcp-configuration.error.js';
import { openLink } from '../clients/open-link.js';
import { buildQuotaSettings, QUOTA_CHECKS } from './quota-settings.js';
import type { RedisClusterOptions } from './redis-cluster-options.interface.js';

/** The options of {@link redisCluster} with their defaults. */
export type RedisSettings = Required<RedisClusterOptions>;

/** The log removes about this many entries at once, so that a smaller bound would have no effect. */
const FEWEST_ENTRIES = 100;

/** Checks the prefix of keys. */
export const prefix: Check = (option, value) => {
  if (typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value)) return;
  fail(option, 'must be 1 to 100 letters, digits, ".", ":", "_" or "-", such as "shop:staging"');
};

const HEARTBEAT_MS = 500;

/** Milliseconds after which a process counts as dead. Garbage collection, and moving a virtual machine, take less. */
const DEAD_AFTER_MS = 10_000;

/** Signs of life within `deadAfterMs`, of which one may get lost. */
const FEWEST_BEATS = 2;

const entries: Check = (option, value) => {
  positive(option, value);
  if (Number(value) < FEWEST_ENTRIES) fail(option, `must be at least ${FEWEST_ENTRIES}`);
};

const CHECKS: Checks = {
  client: openLink,
  prefix,
  maximumEntries: entries,
  maximumBytes: positive,
  ...QUOTA_CHECKS,
  commandTimeoutMs: milliseconds,
  heartbeatMs: milliseconds,
  deadAfterMs: milliseconds,
  startTimeoutMs: milliseconds,
  required: flag,
};

/** Checks the options, and fills in what was left out. */
export function buildRedisSettings(options: RedisClusterOptions): RedisSettings {
  asserting(McpConfigurationError, () => {
    assertMembers('redisCluster', options, CHECKS);
    openLink('redisCluster.client', options.client);
    assertDeadAfter(options);
  });
  const { client, heartbeatMs = HEARTBEAT_MS } = options;
  return {
    client,
    prefix: options.prefix ?? 'nestjs-mcp',
    maximumEntries: options.maximumEntries ?? 10_000,
    maximumBytes: options.maximumBytes ?? 64 * 1024 * 1024,
    ...buildQuotaSettings(options),
    commandTimeoutMs: options.commandTimeoutMs ?? 1_000,
    heartbeatMs,
    deadAfterMs: options.deadAfterMs ?? Math.max(DEAD_AFTER_MS, FEWEST_BEATS * heartbeatMs),
    startTimeoutMs: options.startTimeoutMs ?? 5_000,
    required: options.required ?? false,
  };
}

function assertDeadAfter({ deadAfterMs, heartbeatMs = HEARTBEAT_MS }: RedisClusterOptions): void {
  if (deadAfterMs === undefined || deadAfterMs >= FEWEST_BEATS * heartbeatMs) return;
  fail(
    'redisCluster.deadAfterMs',
    `must be at least ${FEWEST_BEATS} times "heartbeatMs", which is ${heartbeatMs}`,
  );
}
