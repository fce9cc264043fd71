import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import type { CallerEnd, CallerPart } from '../../../sessions/callers/caller-end.js';
import { isMeant, type CallerTerms } from '../../../sessions/callers/caller-filter.js';
import type { EndedOfCaller } from '../../../sessions/callers/mcp-sessions.interface.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import { restoreOrigin } from '../running/task-call.js';
import { cancel } from './task-changes.js';
import type { TaskLedger } from './task-ledger.js';

/** Cancels the tasks of logged-out callers, if the application wants that too. */
export class TasksOfCallers implements CallerPart {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly bus: ClusterBus,
    private readonly settings: Pick<TasksSettings, 'store'>,
  ) {}

  async endOf({ terms, withTasks, member }: CallerEnd): Promise<Partial<EndedOfCaller>> {
    // A shared task is cancelled by the process that got the request.
    const isOurs = this.settings.store === undefined || member === this.bus.member;
    if (!withTasks || !isOurs) return {};
    const theirs = (await this.ledger.listOpen()).filter((record) => isTheirs(terms, record));
    const cancelled = await Promise.all(theirs.map(({ taskId }) => this.ledger.change(taskId, cancel)));
    return { tasks: cancelled.filter((record) => record?.status === 'cancelled').length };
  }
}

function isTheirs(terms: CallerTerms, record: TaskRecord): boolean {
  const { identity, authentication } = restoreOrigin(record);
  return isMeant(terms, { identity, claims: authentication?.claims });
}
