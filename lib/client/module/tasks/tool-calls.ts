import type { CallToolResult, Client, RequestOptions } from '@modelcontextprotocol/client';
import { EMPTY, type Observable } from 'rxjs';
import { Logger } from '../../../core/logger/logger.js';
import {
  declaresExtension,
  type ClientCapabilities,
  type OpenObject,
} from '../../../core/protocol/capabilities.js';
import { MetaKey, TASKS_EXTENSION } from '../../../core/protocol/meta-keys.js';
import { findTask, type TaskState } from '../../tasks/task-response.js';
import { buildForwardedParams, buildRequestOptions, type McpCallOptions } from '../mcp-client-calls.js';
import type { ClientLink } from '../connection/client-link.js';
import type { Connection, LinkLease, ServerNotification } from '../connection/connection.js';
import { buildCapabilities } from '../connection/open-connection.js';
import { findRequiredCapabilities } from '../errors.js';
import type { InputRequests } from '../handlers/input-requests.js';
import type { ClientLists } from '../lists/client-lists.js';
import { findChangedFamily } from '../lists/list-families.js';
import type { ClientSettings } from '../options/client-settings.js';
import { TaskFollower } from './task-follower.js';

/** What calling tools depends on. */
export interface CallParts {
  readonly link: ClientLink;
  readonly settings: ClientSettings;
  readonly inputRequests: InputRequests;
  readonly notifications$: Observable<ServerNotification>;
  readonly lists: ClientLists;
}

/** A tool, and its arguments. */
interface ToolCall {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
}

/** One attempt at a call. */
interface Attempt {
  readonly call: ToolCall;
  readonly options: McpCallOptions;
  readonly request: RequestOptions;
  /** Whether the tool is known to require a task. */
  readonly needsTask: boolean;
}

/** Calls tools, with or without tasks, and follows the tasks that calls become. */
export class ToolCalls {
  readonly #log = new Logger('McpClient');
  /** The task support of a connection's tools, cached until the tools change. */
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
    return this.parts.link.lease(async (link) => {
      const needsTask = await this.#needsTask(link, call, options);
      const attempt = { call, options, request, needsTask };
      const answer = await link.use((client, connection) => this.#send(client, connection, attempt), options);
      return 'task' in answer ? this.#follow(link, answer, attempt) : answer.result;
    });
  }

  async #send(client: Client, connection: Connection, attempt: Attempt): Promise<CallOutcome> {
    const { call, request } = attempt;
    const isPlain = connection.isPerRequest && this.#avoidsTask(attempt);
    const forwarded: { readonly _meta?: OpenObject } = buildForwardedParams(attempt.options, connection);
    const params = {
      ...call,
      ...forwarded,
      ...(isPlain ? this.#declareNoTasks(forwarded._meta) : buildTaskRequest(attempt)),
    };
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

  /** In 2026-07-28, calls have progress, but tasks have none. */
  #avoidsTask({ needsTask, options: { task = false, onProgress, onStatus } }: Attempt): boolean {
    const isFollowed = needsTask || task !== false || onStatus !== undefined;
    return this.parts.settings.tasks !== undefined && onProgress !== undefined && !isFollowed;
  }

  /** The server decides about tasks based on the capabilities in the request. */
  #declareNoTasks(meta: OpenObject = {}): object {
    const { settings, inputRequests } = this.parts;
    const declared = meta[MetaKey.clientCapabilities] ?? buildCapabilities(settings, inputRequests);
    const capabilities = declared as ClientCapabilities;
    const { [TASKS_EXTENSION]: _tasks, ...extensions } = capabilities.extensions ?? {};
    return { _meta: { ...meta, [MetaKey.clientCapabilities]: { ...capabilities, extensions } } };
  }

  /**
   * Returns whether a tool requires a task. The list is fetched once per connection, and only if the server creates
   * tasks on request. If fetching the list fails, the outcome of the call decides.
   *
   * @see MCP 2025-11-25 basic/utilities/tasks, "Tool-Level Negotiation"
   */
  async #needsTask(link: LinkLease, { name }: ToolCall, options: McpCallOptions): Promise<boolean> {
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
    link: LinkLease,
    { task, connection }: StartedTask,
    { call: { name }, options }: Attempt,
  ): Promise<CallToolResult> {
    const { settings, inputRequests, notifications$ } = this.parts;
    const maxMs = settings.tasks?.maxMs ?? settings.timeoutMs;
    const progress$ = connection.isPerRequest ? undefined : (connection.progress.find(task.callId) ?? EMPTY);
    if (options.onProgress !== undefined && connection.isPerRequest) this.#warnOnce(name);
    const parts = { settings, link, notifications$, inputRequests, progress$ };
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
      `The client "${name}" received a task for its call to "${tool}", and tasks have no progress without a session: use "onStatus"; "onProgress" receives its status messages`,
    );
  }
}

/** Each tool's task support, by name. */
type TaskSupports = ReadonlyMap<string, string>;

type CallOutcome = { readonly result: CallToolResult } | StartedTask;

interface StartedTask {
  readonly task: TaskState;
  /** The call's connection. */
  readonly connection: Connection;
}

/** Builds the parameters that request a task in 2025-11-25. */
function buildTaskRequest({ needsTask, options: { task = needsTask } }: Attempt): { readonly task?: object } {
  if (task === false) return {};
  return { task: task === true ? {} : { ttl: task.ttlMs } };
}

/**
 * Returns whether the server creates tasks on request. A server with the extension decides itself for clients that
 * declare it.
 */
function wantsTasksAsked(client: Client): boolean {
  const capabilities = client.getServerCapabilities() ?? {};
  if (declaresExtension(capabilities as ClientCapabilities, TASKS_EXTENSION)) return false;
  return capabilities.tasks?.requests?.tools?.call !== undefined;
}

function lacksTasks(error: unknown): boolean {
  return declaresExtension(findRequiredCapabilities(error) ?? {}, TASKS_EXTENSION);
}
