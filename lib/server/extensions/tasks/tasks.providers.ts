import type { Provider } from '@nestjs/common';
import { SERVER_SETTINGS, TASKS_SETTINGS } from '../../settings/mcp.constants.js';
import type { TaskStore } from '../../settings/extensions/task-store.interface.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { TASKS, type TasksSettings } from '../../settings/extensions/tasks-options.js';
import { ExtensionLink } from './extension-link.js';
import { McpTasks } from './mcp-tasks.js';
import { OwnedTasks } from './ledger/owned-tasks.js';
import { TaskAccess } from './ledger/task-access.js';
import { TaskCreation } from './ledger/task-creation.js';
import { TaskHolder } from './ledger/task-holder.js';
import { TaskLedger } from './ledger/task-ledger.js';
import { QuestionTurns } from './methods/question-turns.js';
import { TaskQuestions } from './methods/task-questions.js';
import { TaskResults } from './methods/task-results.js';
import { TasksOfCallers } from './ledger/tasks-of-callers.js';
import { TaskRunner } from './running/task-runner.js';
import { TaskSubscription } from './methods/task-subscription.js';
import { TaskSweeper } from './ledger/task-sweeper.js';
import { TaskTeller } from './methods/task-teller.js';
import { TaskSeals } from './wires/task-seals.js';
import { TaskWires } from './wires/task-wires.js';
import { TasksExtension } from './tasks.extension.js';
import { TasksMethods } from './methods/tasks-methods.js';

/** What lets the tools of a server run as tasks, if its options say so. */
export const TASKS_PROVIDERS: readonly Provider[] = [
  { provide: TASKS_SETTINGS, useFactory: selectTasksSettings, inject: [SERVER_SETTINGS] },
  ExtensionLink,
  TaskHolder,
  TaskLedger,
  TaskSeals,
  TaskWires,
  TaskAccess,
  OwnedTasks,
  TaskCreation,
  TaskTeller,
  TaskRunner,
  TaskSweeper,
  QuestionTurns,
  TaskQuestions,
  TaskResults,
  TaskSubscription,
  TasksMethods,
  TasksOfCallers,
  McpTasks,
  TasksExtension,
];

/** If no tool runs as a task, the runner exists but does nothing. */
function selectTasksSettings(server: ServerSettings): TasksSettings {
  const { tasks, callTimeoutMs } = server;
  const settings = tasks ?? TASKS.build({});
  const storeTimeoutMs = Math.min(settings.storeTimeoutMs, callTimeoutMs ?? settings.storeTimeoutMs);
  const store = selectStore(server);
  return { ...settings, storeTimeoutMs, ...(store && { store }) };
}

/** The processes of a server share its tasks. */
function selectStore(settings: ServerSettings): TaskStore | undefined {
  const { tasks, cluster, mcpPath: server, secrets, acceptFormerFormatUntil } = settings;
  if (tasks === undefined || tasks.store !== undefined || cluster === undefined) return tasks?.store;
  const { maximumTasksPerIdentity: maximumPerOwner } = tasks;
  return cluster.createTaskStore?.({ server, secrets, acceptFormerFormatUntil, maximumPerOwner });
}
