import type { OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import type { OpenObject } from '../../../core/protocol/capabilities.js';
import type { Encoded } from '../../../core/protocol/encoding/encode-definition.js';
import { TASKS_EXTENSION } from '../../../core/protocol/meta-keys.js';
import type { ToolRegistry } from '../../catalog/registries.js';
import type { InterceptedCall } from '../../dispatch/extension.interface.js';
import type { McpExtensions } from '../../dispatch/mcp-extensions.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ExtensionLink } from './extension-link.js';
import type { McpTasks } from './mcp-tasks.js';
import { selectProfile } from './encoders/select-profile.js';
import type { TaskCreation } from './ledger/task-creation.js';
import type { TaskRunner } from './running/task-runner.js';
import type { TaskSubscription, TaskNotifier } from './methods/task-notifications.js';
import type { TaskSweeper } from './ledger/task-sweeper.js';
import type { TaskEncoders } from './encoders/task-encoders.js';
import type { TasksMethods } from './methods/tasks-methods.js';

/** The parts that serve clients. */
interface ServedTasks {
  readonly methods: TasksMethods;
  readonly subscription: TaskSubscription;
  readonly encoders: TaskEncoders;
}

/** The parts that create and run tasks. */
interface RunTasks {
  readonly creation: TaskCreation;
  readonly runner: TaskRunner;
  readonly notifier: TaskNotifier;
  readonly sweeper: TaskSweeper;
  readonly tasks: McpTasks;
}

/**
 * Responds with a task to calls of tools that run as tasks, and runs those calls.
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
      // The extension defines no settings, and its clients ignore the extension if a server sends any.
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
    this.running.notifier.start();
    await this.running.sweeper.start();
    await this.running.runner.start();
  }

  async #intercept({ options, context }: InterceptedCall, next: () => Promise<Encoded>): Promise<Encoded> {
    const profile = selectProfile(options.task ?? 'forbidden', context);
    if (profile === undefined) {
      const result = await next();
      const started = this.running.tasks.findStarted(context);
      return started === undefined ? result : this.served.encoders.get(started).encodeCreated(started);
    }
    const record = await this.running.creation.create(context, profile, options);
    await this.running.runner.add(record, { origin: context });
    return this.served.encoders.get(record).encodeCreated(record);
  }

  /** Tasks can be listed only if callers are identified by a session or a token. */
  #describeCore(): OpenObject {
    const { stateless, auth } = this.settings;
    const isKnown = !stateless || auth !== undefined;
    return { ...(isKnown && { list: {} }), cancel: {}, requests: { tools: { call: {} } } };
  }

  /** Fails at startup if a tool requires the extension but it is disabled. */
  #assertNoneNeeded(): void {
    const tool = this.tools
      .list()
      .find(({ options: { task } }) => task !== undefined && task !== 'forbidden');
    if (tool === undefined) return;
    throw new McpConfigurationError(
      'tasks',
      `is required: the tool "${tool.key}" runs as a task; set "tasks: true", or remove "task"`,
    );
  }
}
