import type { CallToolResult, Client, RequestOptions } from '@modelcontextprotocol/client';
import { EMPTY, type Observable } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import { declaresExtension, type ClientCapabilities } from '../../../core/protocol/capabilities.js';
import { TASKS_EXTENSION } from '../../../core/protocol/extension-ids.js';
import { MetaKey } from '../../../core/protocol/meta-keys.js';
import { findTask, type TaskAnswer } from '../../tasks/task-response.js';
import { buildRequestOptions, type McpCallOptions } from '../mcp-client-calls.js';
import type { ClientLink } from '../connection/client-link.js';
import type { Connection, HeldLink, ServerNotification } from '../connection/connection.js';
import { buildCapabilities } from '../connection/open-connection.js';
import { findRequiredCapabilities } from '../errors.js';
import type { ServerQuestions } from '../handlers/input-requests.js';
import type { ClientLists } from '../lists/client-lists.js';
import { findChangedFamily } from '../lists/list-families.js';
import type { ClientSettings } from '../options/client-settings.js';
import { TaskFollower } from './task-follower.js';

/** The parts that tools are called with. */
export interface CallParts {
  readonly link: ClientLink;
  readonly settings: ClientSettings;
  readonly questions: ServerQuestions;
  readonly notifications$: Observable<ServerNotification>;
  readonly lists: ClientLists;
}

/** Which tool is called, and with what. */
interface ToolCall {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
}

/** How one attempt at a call is made. */
interface Attempt {
  readonly call: ToolCall;
  readonly options: McpCallOptions;
  readonly request: RequestOptions;
  /** Whether the tool runs as a task alone, as far as is known. */
  readonly needsTask: boolean;
}

/** Calls tools, with or without tasks, and follows the tasks that calls become. */
export class ToolCalls {
  readonly #log = new Logger('McpClient');
  /** What is known of the tools of a connection, until they change. */
  #supports = new WeakMap<Connection, TaskSupports>();
  #hasWarned = false;

  constructor(private readonly parts: CallParts) {
    parts.notifications$.subscribe(({ method }) => {
      if (findChangedFamily(method) === 'tools') this.#supports = new WeakMap();
    });
  }

  /** Calls a tool, and follows the task that the call may become. */
  call(call: ToolCall, options: McpCallOptions): Promise<CallToolResult> {
    const request = buildRequestOptions(options, this.parts.settings.timeoutMs);
    return this.parts.link.hold(async (link) => {
      const needsTask = await this.#needsTask(link, call, options);
      const attempt = { call, options, request, needsTask };
      const answer = await link.use((client, connection) => this.#send(client, connection, attempt), options);
      return 'task' in answer ? this.#follow(link, answer, attempt) : answer.result;
    });
  }

  async #send(client: Client, connection: Connection, attempt: Attempt): Promise<CallAnswer> {
    const { call, request } = attempt;
    const isPlain = connection.isPerRequest && this.#avoidsTask(attempt);
    const params = { ...call, ...(isPlain ? this.#declareNoTasks() : buildTaskRequest(attempt)) };
    try {
      return { result: await client.callTool(params, request) };
    } catch (error) {
      const task = findTask(error);
      if (task !== undefined) return { task, connection };
      // The server has not run the tool.
      if (!isPlain || !lacksTasks(error)) throw error;
      return this.#send(client, connection, { ...attempt, needsTask: true });
    }
  }

  /** A task of the stateless wire has no progress, and a call without one has. */
  #avoidsTask({ needsTask, options: { task = false, onProgress, onStatus } }: Attempt): boolean {
    const isFollowed = needsTask || task !== false || onStatus !== undefined;
    return this.parts.settings.tasks !== undefined && onProgress !== undefined && !isFollowed;
  }

  /** The server decides about tasks from what the client declares with the request. */
  #declareNoTasks(): object {
    const { settings, questions } = this.parts;
    const capabilities = buildCapabilities(settings, questions) as ClientCapabilities;
    const { [TASKS_EXTENSION]: _tasks, ...extensions } = capabilities.extensions ?? {};
    return { _meta: { [MetaKey.clientCapabilities]: { ...capabilities, extensions } } };
  }

  /**
   * Tells whether a tool of a session runs as a task alone. The list is asked once for a connection, and only if the server has
   * tasks that clients must ask for. A failure of the list is left to the call.
   *
   * @see MCP 2025-11-25 basic/utilities/tasks, "Tool-Level Negotiation"
   */
  async #needsTask(link: HeldLink, { name }: ToolCall, options: McpCallOptions): Promise<boolean> {
    const { signal, task } = options;
    if (task !== undefined || this.parts.settings.tasks === undefined) return false;
    const current = await link.use(async (client, connection) => ({ client, connection }), { signal });
    if (current.connection.isPerRequest || !wantsTasksAsked(current.client)) return false;
    const known = this.#supports.get(current.connection)?.get(name);
    return (known ?? (await this.#list(current.connection, signal)).get(name)) === 'required';
  }

  async #list(connection: Connection, signal: AbortSignal | undefined): Promise<TaskSupports> {
    const tools = await this.parts.lists.get('tools', signal).catch(() => []);
    signal?.throwIfAborted();
    const supports = new Map(
      tools.map(({ name, execution }) => [name, execution?.taskSupport ?? 'forbidden']),
    );
    this.#supports.set(connection, supports);
    return supports;
  }

  async #follow(
    link: HeldLink,
    { task, connection }: BegunTask,
    { call: { name }, options }: Attempt,
  ): Promise<CallToolResult> {
    const { settings, questions, notifications$ } = this.parts;
    const maxMs = settings.tasks?.maxMs ?? settings.timeoutMs;
    const progress$ = connection.isPerRequest ? undefined : (connection.progress.find(task.callId) ?? EMPTY);
    if (options.onProgress !== undefined && connection.isPerRequest) this.#warnOnce(name);
    const parts = { settings, link, notifications$, questions, progress$ };
    try {
      return await new TaskFollower(parts, maxMs, options).follow(task);
    } finally {
      if (task.callId !== undefined) connection.progress.end(task.callId);
    }
  }

  #warnOnce(tool: string): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { name } = this.parts.settings;
    this.#log.warn(
      `The client "${name}" was given a task for the call of "${tool}", and tasks have no progress without a session: use "onStatus"; "onProgress" is called with its status messages`,
    );
  }
}

/** Of each tool by its name: whether it can, must or must not run as a task. */
type TaskSupports = ReadonlyMap<string, string>;

type CallAnswer = { readonly result: CallToolResult } | BegunTask;

interface BegunTask {
  readonly task: TaskAnswer;
  /** The one that the call was made over. */
  readonly connection: Connection;
}

/** Builds what asks for a task, as the revision of 2025-11-25 has it. */
function buildTaskRequest({ needsTask, options: { task = needsTask } }: Attempt): { readonly task?: object } {
  if (task === false) return {};
  return { task: task === true ? {} : { ttl: task.ttlMs } };
}

/** A server that knows the extension makes tasks without being asked, for a client that declares it. */
function wantsTasksAsked(client: Client): boolean {
  const capabilities = client.getServerCapabilities() ?? {};
  if (declaresExtension(capabilities as ClientCapabilities, TASKS_EXTENSION)) return false;
  return capabilities.tasks?.requests?.tools?.call !== undefined;
}

function lacksTasks(error: unknown): boolean {
  return declaresExtension(findRequiredCapabilities(error) ?? {}, TASKS_EXTENSION);
}
