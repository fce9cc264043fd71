import { asserting } from '../core/checks/asserting.js';
import type { TaskStore } from '../server/settings/extensions/task-store.interface.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { openLink } from './clients/open-link.js';
import { PrimaryLink } from './clients/primary-link.js';
import { REDIS_TASK_STORE, type RedisTaskStoreOptions } from './settings/redis-task-store-options.js';
import { createTaskStore } from './tasks/create-task-store.js';

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
  asserting(McpConfigurationError, () => REDIS_TASK_STORE.check('redisTaskStore', options));
  const { client, secret = [], acceptFormerFormatUntil, ...settings } = REDIS_TASK_STORE.build(options);
  return createTaskStore({
    ...settings,
    link: new PrimaryLink(openLink('client', client)),
    secrets: typeof secret === 'string' ? [secret] : secret,
    acceptFormerFormatUntil,
    quotas: settings,
    isWatched: true,
  });
}
