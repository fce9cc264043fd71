import type { OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { TASKS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import type { ToolRegistry } from '../../catalog/registries.js';
import type { InterceptedCall } from '../../dispatch/extension.interface.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ExtensionLink } from './extension-link.js';
import type { McpTasks } from './mcp-tasks.js';
import { selectProfile } from './wires/select-profile.js';
import type { TaskCreation } from './ledger/task-creation.js';
import type { TaskRunner } from './running/task-runner.js';
import type { TaskSubscription, TaskTeller } from './methods/task-notifications.js';
import type { TaskSweeper } from './ledger/task-sweeper.js';
import type { TaskWires } from './wires/task-wires.js';
import type { TasksMethods } from './methods/tasks-methods.js';

/** What clients ask of tasks. */
interface ServedTasks {
  readonly methods: TasksMethods;
  readonly subscription: TaskSubscription;
  readonly wires: TaskWires;
}

/** What makes tasks and runs them. */
interface RunTasks {
  readonly creation: TaskCreation;
  readonly runner: TaskRunner;
  readonly teller: TaskTeller;
  readonly sweeper: TaskSweeper;
  readonly tasks: McpTasks;
}

/**
 * Answers calls of tools that run as tasks with the task, and runs them.
 *
 * @see MCP extension tasks; MCP 2025-11-25 basic/utilities/tasks
 */
export class TasksExtension implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly extensions: McpExtensions,
    private readonly link: ExtensionLink,
    private readonly served: ServedTasks,
    private readonly running: RunTasks,
    private readonly tools: ToolRegistry,
    private readonly settings: ServerSettings,
  ) {}

  onModuleInit(): void {
    if (this.settings.tasks === undefined) return;
    const handle = this.extensions.register({
      id: TASKS_EXTENSION,
      // The extension has no settings, and its clients take a server that names some for one without tasks.
      published: {},
      capabilities: { tasks: this.#describeCore() },
      methods: this.served.methods.build(),
      subscriptions: [this.served.subscription],
      interceptToolCall: (call, next) => this.#intercept(call, next),
    });
    this.link.open(handle);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.tasks === undefined) return this.#assertNoneNeeded();
    this.running.teller.start();
    await this.running.sweeper.start();
    await this.running.runner.start();
  }

  async #intercept({ options, context }: InterceptedCall, next: () => Promise<Encoded>): Promise<Encoded> {
    const profile = selectProfile(options.task ?? 'forbidden', context);
    if (profile === undefined) {
      const result = await next();
      const started = this.running.tasks.findStarted(context);
      return started === undefined ? result : this.served.wires.get(started).encodeCreated(started);
    }
    const record = await this.running.creation.create(context, profile, options);
    await this.running.runner.add(record, { origin: context });
    return this.served.wires.get(record).encodeCreated(record);
  }

  /** Whose tasks to list is not known if there are neither sessions nor identities. */
  #describeCore(): OpenObject {
    const { stateless, auth } = this.settings;
    const isKnown = !stateless || auth !== undefined;
    return { ...(isKnown && { list: {} }), cancel: {}, requests: { tools: { call: {} } } };
  }

  /** A tool that cannot do what it says is found when the application starts, and not by a client. */
  #assertNoneNeeded(): void {
    const tool = this.tools
      .list()
      .find(({ options: { task } }) => task !== undefined && task !== 'forbidden');
    if (tool === undefined) return;
    throw new McpConfigurationError(
      'tasks',
      `is required: the tool "${tool.key}" runs as a task; write "tasks: true", or remove "task"`,
    );
  }
}
