import { asserting } from '../core/checks/asserting.js';
import {
  assertMembers,
  day,
  milliseconds,
  positive,
  secrets,
  text,
  type Checks,
} from '../core/checks/option-checks.js';
import type { TaskStore } from '../server/settings/extensions/task-store.interface.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { openLink } from './clients/open-link.js';
import { PrimaryLink } from './clients/primary-link.js';
import { prefix } from './settings/build-redis-settings.js';
import type { RedisTaskStoreOptions } from './settings/redis-task-store-options.interface.js';
import { buildQuotaSettings, QUOTA_CHECKS } from './settings/quota-settings.js';
import { createTaskStore } from './tasks/create-task-store.js';

const CHECKS: Checks = {
  client: openLink,
  prefix,
  server: text,
  secret: secrets,
  acceptFormerFormatUntil: day,
  maximumPerOwner: positive,
  ...QUOTA_CHECKS,
  commandTimeoutMs: milliseconds,
};

/**
 * Keeps tasks in Redis 6.2 or later, Valkey or Redis Cluster, for a server without {@link redisCluster}, such as a stateless
 * one. With `redisCluster`, tasks are in Redis already.
 *
 * @throws {McpConfigurationError} if an option is wrong; the error names the first
 * @example
 * const client = new Redis(process.env.REDIS_URL);
 * McpModule.forRoot({ serverInfo, secret, stateless: true, tasks: { store: redisTaskStore({ client, secret }) } })
 */
export function redisTaskStore(options: RedisTaskStoreOptions): TaskStore {
  asserting(McpConfigurationError, () => {
    assertMembers('redisTaskStore', options, CHECKS);
    openLink('redisTaskStore.client', options.client);
  });
  const {
    client,
    secret = [],
    acceptFormerFormatUntil,
    maximumPerOwner = 1000,
    commandTimeoutMs = 1000,
  } = options;
  return createTaskStore({
    link: new PrimaryLink(openLink('client', client)),
    prefix: options.prefix ?? 'nestjs-mcp',
    server: options.server ?? '/mcp',
    secrets: typeof secret === 'string' ? [secret] : secret,
    acceptFormerFormatUntil,
    maximumPerOwner,
    quotas: buildQuotaSettings(options),
    commandTimeoutMs,
    isWatched: true,
  });
}
