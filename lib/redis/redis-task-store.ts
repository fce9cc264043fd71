import { asserting } from '../core/checks/option-checks.js';
import { Keyring } from '../core/sealing/keyring.js';
import type { ClusterTaskStoreParts } from '../server/settings/cluster/cluster.interface.js';
import type { TaskStore } from '../server/settings/extensions/task-store.interface.js';
import { isStillAccepted } from '../server/settings/is-still-accepted.js';
import { McpConfigurationError } from '../server/settings/mcp-configuration.error.js';
import { openLink } from './clients/open-link.js';
import { PrimaryLink } from './clients/primary-link.js';
import type { RedisLink } from './clients/redis-link.js';
import { RedisCommands } from './commands/redis-commands.js';
import { RedisKeys } from './member/redis-keys.js';
import {
  REDIS_TASK_STORE,
  type QuotaSettings,
  type RedisTaskStoreOptions,
} from './settings/redis-options.js';
import { RedisTaskStore } from './tasks/redis-task-store.js';
import { TaskChanges } from './tasks/task-changes.js';
import { TaskCommands } from './tasks/task-commands.js';
import { TaskKeys, TaskQuotas } from './tasks/task-keys.js';

/**
 * Stores tasks in Redis 6.2 or later, Valkey or Redis Cluster, for a server without {@link redisCluster}, such as a
 * stateless one. With `redisCluster`, tasks are already in Redis.
 *
 * @throws {McpConfigurationError} if an option is invalid; the error names the first one
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

/** Options of a store. */
interface TaskStoreParts extends ClusterTaskStoreParts {
  readonly link: RedisLink;
  readonly prefix: string;
  readonly quotas: QuotaSettings;
  readonly commandTimeoutMs: number;
  /** Whether the store itself reports changes. @default false: the cluster reports them */
  readonly isWatched?: boolean;
}

/** Creates the store for a server's tasks. */
export function createTaskStore({ isWatched = false, ...parts }: TaskStoreParts): RedisTaskStore {
  const { link, prefix, server, secrets, maxTasksPerCaller, quotas, commandTimeoutMs } = parts;
  const isFormerAccepted = isStillAccepted(parts.acceptFormerFormatUntil);
  const keyring = new Keyring(secrets, { prefix, path: server }, isFormerAccepted);
  const keys = new TaskKeys(new RedisKeys(prefix, server).base, keyring);
  const given = new RedisCommands(link, commandTimeoutMs, () => undefined);
  const commands = new TaskCommands(given, link, commandTimeoutMs);
  const changes = isWatched ? new TaskChanges(link, keys.changes) : undefined;
  const owners = new TaskQuotas(keys, { maxTasksPerCaller, ...quotas });
  return new RedisTaskStore({ commands, keys, keyring, quotas: owners, ...(changes && { changes }) });
}
