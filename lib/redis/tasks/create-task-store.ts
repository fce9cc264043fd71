import { Keyring } from '../../core/sealing/keyring.js';
import { isStillAccepted } from '../../server/settings/is-still-accepted.js';
import type { ClusterTaskStoreParts } from '../../server/settings/cluster/cluster.interface.js';
import type { RedisLink } from '../clients/redis-link.interface.js';
import { RedisCommands } from '../commands/redis-commands.js';
import { RedisKeys } from '../member/redis-keys.js';
import type { QuotaSettings } from '../settings/quota-options.js';
import { RedisTaskStore } from './redis-task-store.js';
import { TaskChanges } from './task-changes.js';
import { TaskCommands } from './task-commands.js';
import { TaskKeys } from './task-keys.js';
import { TaskQuotas } from './task-quotas.js';

/** Options of a store. */
interface TaskStoreParts extends ClusterTaskStoreParts {
  readonly link: RedisLink;
  readonly prefix: string;
  readonly quotas: QuotaSettings;
  readonly commandTimeoutMs: number;
  /** Whether the store reports changes itself. @default false: the processes of the server tell one another */
  readonly isWatched?: boolean;
}

/** Creates the store for the tasks of a server. */
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
