import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { TASKS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import { ToolRegistry } from '../../catalogue/registries.js';
import type { InterceptedCall } from '../../dispatch/extension.interface.js';
import { McpExtensions } from '../../dispatch/mcp-extensions.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { ExtensionLink } from './extension-link.js';
import { McpTasks } from './mcp-tasks.js';
import { selectProfile } from './wires/select-profile.js';
import { TaskCreation } from './ledger/task-creation.js';
import { TaskRunner } from './running/task-runner.js';
import { TaskSubscription } from './methods/task-subscription.js';
import { TaskSweeper } from './ledger/task-sweeper.js';
import { TaskTeller } from './methods/task-teller.js';
import { TaskWires } from './wires/task-wires.js';
import { TasksMethods } from './methods/tasks-methods.js';

/**
 * Answers calls of tools that run as tasks with the task, and runs them.
 *
 * @see MCP extension tasks; MCP 2025-11-25 basic/utilities/tasks
 */
@Injectable()
export class TasksExtension implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly extensions: McpExtensions,
    private readonly link: ExtensionLink,
    private readonly methods: TasksMethods,
    private readonly subscription: TaskSubscription,
    private readonly creation: TaskCreation,
    private readonly wires: TaskWires,
    private readonly runner: TaskRunner,
    private readonly teller: TaskTeller,
    private readonly sweeper: TaskSweeper,
    private readonly tasks: McpTasks,
    private readonly tools: ToolRegistry,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  onModuleInit(): void {
    if (this.settings.tasks === undefined) return;
    const handle = this.extensions.register({
      id: TASKS_EXTENSION,
      // The extension has no settings, and its clients take a server that names some for one without tasks.
      published: {},
      capabilities: { tasks: this.#describeCore() },
      methods: this.methods.build(),
      subscriptions: [this.subscription],
      interceptToolCall: (call, next) => this.#intercept(call, next),
    });
    this.link.open(handle);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.tasks === undefined) return this.#assertNoneNeeded();
    this.teller.start();
    await this.sweeper.start();
    await this.runner.start();
  }

  async #intercept({ options, context }: InterceptedCall, next: () => Promise<Encoded>): Promise<Encoded> {
    const profile = selectProfile(options.task ?? 'forbidden', context);
    if (profile === undefined) {
      const result = await next();
      const started = this.tasks.findStarted(context);
      return started === undefined ? result : this.wires.get(started).encodeCreated(started);
    }
    const record = await this.creation.create(context, profile, options);
    await this.runner.add(record, { origin: context });
    return this.wires.get(record).encodeCreated(record);
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
