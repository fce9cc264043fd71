import { AppsExtension } from '../extensions/apps/apps.extension.js';
import { EventSourceExplorer } from '../extensions/events/event-source.explorer.js';
import { EventsExtension } from '../extensions/events/events.extension.js';
import { McpEvents } from '../extensions/events/mcp-events.js';
import { SkillsList } from '../extensions/skills/methods/skills-list.js';
import { SkillsMethods } from '../extensions/skills/methods/skills-methods.js';
import { SkillExplorer } from '../extensions/skills/providers/skill.explorer.js';
import { SkillEntries, SkillRegistry } from '../extensions/skills/skill-registry.js';
import { SkillsExtension } from '../extensions/skills/skills.extension.js';
import { ExtensionLink } from '../extensions/tasks/extension-link.js';
import { CallerTasks, TaskAccess, CallerTaskCancellation } from '../extensions/tasks/ledger/caller-tasks.js';
import { TaskCreation, TaskWorker } from '../extensions/tasks/ledger/task-creation.js';
import { TaskLedger } from '../extensions/tasks/ledger/task-ledger.js';
import { TaskSweeper } from '../extensions/tasks/ledger/task-sweeper.js';
import { McpTasks } from '../extensions/tasks/mcp-tasks.js';
import { InputRequestTurns, TaskInputRequests } from '../extensions/tasks/methods/task-input-requests.js';
import { TaskResults, TasksMethods } from '../extensions/tasks/methods/tasks-methods.js';
import { TaskSubscription, TaskNotifier } from '../extensions/tasks/methods/task-notifications.js';
import { TaskRunner } from '../extensions/tasks/running/task-runner.js';
import { TasksExtension } from '../extensions/tasks/tasks.extension.js';
import { TaskSigner, TaskEncoders } from '../extensions/tasks/encoders/task-encoders.js';
import type { HandlerLimits } from '../limits/handler-limits.js';
import type { TaskStore } from '../settings/extensions/task-store.interface.js';
import { TASKS, type TasksSettings } from '../settings/extensions/tasks-options.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { CatalogParts } from './create-catalog.js';
import type { DispatchParts } from './create-dispatch.js';
import type { FoundationParts } from './create-foundation.js';
import type { NotificationParts } from './create-notifications.js';
import type { ServerInputs } from './server-inputs.js';

interface ExtensionInputs {
  readonly foundation: FoundationParts;
  readonly catalog: CatalogParts;
  readonly notifications: NotificationParts;
  readonly dispatch: DispatchParts;
  readonly limits: HandlerLimits;
}

/** Creates a server's built-in extensions. */
export function createExtensions(inputs: ServerInputs, made: ExtensionInputs) {
  return {
    apps: createApps(inputs, made),
    tasks: createTasks(inputs, made),
    events: createEvents(inputs, made),
    skills: createSkills(inputs, made),
  };
}

function createApps({ settings }: ServerInputs, { catalog, dispatch, notifications }: ExtensionInputs) {
  const { notifier } = notifications;
  return {
    extension: new AppsExtension(catalog.registries, dispatch.extensions, notifier, settings),
  };
}

/** Creates the parts that let tools run as tasks. If no tool does, the runner exists but does nothing. */
function createTasks({ settings: server }: ServerInputs, { foundation, catalog, dispatch }: ExtensionInputs) {
  const { memory, bus, draining } = foundation;
  const settings = selectTasksSettings(server);
  const link = new ExtensionLink();
  const worker = new TaskWorker();
  const ledger = new TaskLedger(settings, memory, bus);
  const signer = new TaskSigner(link);
  const encoders = new TaskEncoders(signer);
  const access = new TaskAccess(catalog.tools);
  const owned = new CallerTasks(ledger, access, catalog.visibility);
  const creation = new TaskCreation(ledger, worker, settings);
  const notifier = new TaskNotifier(ledger, link, encoders, access);
  const runner = new TaskRunner({ ledger, worker, creation, access }, link, notifier, settings, draining);
  const sweeper = new TaskSweeper(ledger, worker, runner, creation, settings);
  const inputRequests = new TaskInputRequests(ledger, access, new InputRequestTurns(bus, ledger));
  const results = new TaskResults(ledger, owned, inputRequests);
  const methods = new TasksMethods(ledger, owned, results, encoders, signer);
  const subscription = new TaskSubscription(ledger, owned, access);
  const tasks = new McpTasks(ledger, creation, runner, link);
  return {
    worker,
    ledger,
    creation,
    notifier,
    runner,
    sweeper,
    tasks,
    ended: new CallerTaskCancellation(ledger, bus, settings),
    extension: new TasksExtension(
      dispatch.extensions,
      link,
      { methods, subscription, encoders },
      { creation, runner, notifier, sweeper, tasks },
      catalog.tools,
      server,
    ),
  };
}

function selectTasksSettings(server: ServerSettings): TasksSettings {
  const { tasks, callTimeoutMs } = server;
  const settings = tasks ?? TASKS.build({});
  const storeTimeoutMs = Math.min(settings.storeTimeoutMs, callTimeoutMs ?? settings.storeTimeoutMs);
  const store = selectStore(server);
  return { ...settings, storeTimeoutMs, ...(store && { store }) };
}

/** A server's processes share its tasks. */
function selectStore(settings: ServerSettings): TaskStore | undefined {
  const { tasks, cluster, mcpPath: server, secrets, acceptFormerFormatUntil } = settings;
  if (tasks === undefined || tasks.store !== undefined || cluster === undefined) return tasks?.store;
  const { maxTasksPerCaller } = tasks;
  return cluster.createTaskStore?.({ server, secrets, acceptFormerFormatUntil, maxTasksPerCaller });
}

function createEvents(
  { settings, identity, nest }: ServerInputs,
  { foundation, catalog, notifications, dispatch }: ExtensionInputs,
) {
  const { bus, memory, draining } = foundation;
  const { discovery, scanner } = nest;
  const extension = new EventsExtension(
    dispatch.extensions,
    new EventSourceExplorer(discovery, scanner, catalog.assignments, identity),
    { bus, memory, draining, settings },
    notifications.notifier,
    catalog.addedScopes,
  );
  return { extension, events: new McpEvents(extension) };
}

function createSkills(
  { settings, identity, nest }: ServerInputs,
  { catalog, notifications, dispatch, limits }: ExtensionInputs,
) {
  const { resources, visibility, assignments, invoker } = catalog;
  const { extensions } = dispatch;
  const skillRegistry = new SkillRegistry(resources);
  const entries = new SkillEntries(skillRegistry, resources, visibility, settings);
  const explorer = new SkillExplorer(nest.discovery, nest.scanner, assignments, identity);
  const list = new SkillsList(skillRegistry, resources, settings, visibility, entries);
  const methods = new SkillsMethods(skillRegistry, list, entries, resources, limits, settings);
  const { notifier } = notifications;
  return {
    skillRegistry,
    extension: new SkillsExtension(extensions, explorer, invoker, skillRegistry, methods, notifier, settings),
  };
}
