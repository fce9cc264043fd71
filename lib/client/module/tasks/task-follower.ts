import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult, Progress, SubscriptionFilter } from '@modelcontextprotocol/client';
import type { Observable, Subscription } from 'rxjs';
import { isObject, type JsonRpcErrorObject } from '../../../core/protocol/json-rpc.js';
import { untilAborted } from '../../../core/async/promises.js';
import {
  ANY_RESULT,
  isActive,
  parseTask,
  selectPollInterval,
  type TaskState,
} from '../../tasks/task-response.js';
import type { LinkLease, ServerNotification } from '../connection/connection.js';
import { McpTaskEndedError } from '../errors.js';
import { guardListener, type McpTaskStatus } from '../mcp-client-calls.js';
import type { InputRequests } from '../handlers/input-requests.js';
import type { ClientSettings } from '../options/client-settings.js';

/** Notifications that carry a task: from the published extension, and from sessions. */
const METHODS = new Set(['notifications/tasks', 'notifications/tasks/status']);

/** Collects the server's notifications about one task between two polls. */
class TaskNotices {
  readonly #subscription: Subscription;
  #latest: TaskState | undefined;
  #wake: () => void = () => undefined;

  constructor(notifications$: Observable<ServerNotification>, { taskId, isCore }: TaskState) {
    this.#subscription = notifications$.subscribe(({ method, params }) => {
      const task = METHODS.has(method) ? parseTask(params, isCore) : undefined;
      if (task?.taskId !== taskId) return;
      this.#latest = task;
      this.#wake();
    });
  }

  /** Returns the latest notification since the last call. If there is none, it waits, and returns `undefined` after a timeout. */
  async next(waitMs: number, signal: AbortSignal): Promise<TaskState | undefined> {
    if (this.#latest === undefined) await this.#wait(waitMs, signal);
    signal.throwIfAborted();
    const latest = this.#latest;
    this.#latest = undefined;
    return latest;
  }

  close(): void {
    this.#subscription.unsubscribe();
  }

  async #wait(waitMs: number, signal: AbortSignal): Promise<void> {
    const awake = new AbortController();
    this.#wake = () => awake.abort();
    const either = AbortSignal.any([awake.signal, signal]);
    // A notification ends the wait with an abort. The caller's signal is checked afterwards.
    await delay(waitMs, undefined, { signal: either }).catch(() => undefined);
    this.#wake = () => undefined;
  }
}

/** What following tasks depends on. */
export interface FollowerParts {
  readonly settings: ClientSettings;
  /** Stays leased for as long as the task is followed. */
  readonly link: LinkLease;
  readonly notifications$: Observable<ServerNotification>;
  readonly inputRequests: InputRequests;
  /** The task's progress, by its call's progress token. Absent in 2026-07-28, where tasks have none. */
  readonly progress$: Observable<Progress> | undefined;
}

/** One caller's options. */
export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onStatus?: ((status: McpTaskStatus) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Follows one task to its end. It polls at the server's interval, and immediately after a notification. It handles the
 * task's input requests, and cancels the task if the caller aborts.
 *
 * @see MCP extension tasks; MCP 2025-11-25 basic/utilities/tasks
 */
export class TaskFollower {
  readonly #handled = new Set<string>();
  readonly #limit: AbortSignal;
  readonly #closed = new AbortController();
  readonly #signal: AbortSignal;
  readonly #onStatus: ((status: McpTaskStatus) => void) | undefined;
  readonly #onProgress: ((progress: Progress) => void) | undefined;
  #requestState: string | undefined;
  #lastStatus = '';
  #reported: string | undefined;
  #steps = 0;

  constructor(
    private readonly parts: FollowerParts,
    private readonly maxMs: number,
    { signal, onStatus, onProgress }: FollowOptions,
  ) {
    this.#limit = AbortSignal.timeout(maxMs);
    const ends = [this.#limit, this.#closed.signal];
    this.#signal = AbortSignal.any(signal === undefined ? ends : [signal, ...ends]);
    this.#onStatus = onStatus && guardListener('onStatus', onStatus);
    this.#onProgress = onProgress && guardListener('onProgress', onProgress);
  }

  /**
   * Returns the task's result.
   *
   * @throws {McpTaskEndedError} if it ended without a result, or exceeded the limit
   * @throws {McpClientClosedError} once the link is closed
   */
  async follow(begun: TaskState): Promise<CallToolResult> {
    const notices = new TaskNotices(this.parts.notifications$, begun);
    const stopListening = this.#listen(begun);
    const stopWatching = this.parts.link.onClosed((reason) => this.#closed.abort(reason));
    const reports = this.parts.progress$?.subscribe((progress) => this.#onProgress?.(progress));
    try {
      return await this.#followToEnd(begun, notices);
    } catch (error) {
      if (!(error instanceof McpTaskEndedError) || error.status === 'input_required') this.#cancel(begun);
      if (!this.#isOverdue) throw error;
      throw this.#end(begun, { reason: `it took more than ${this.maxMs} ms` });
    } finally {
      reports?.unsubscribe();
      stopWatching();
      stopListening();
      notices.close();
    }
  }

  /** Whether this follower's limit ended the task, rather than the caller's signal. */
  get #isOverdue(): boolean {
    return this.#limit.aborted && this.#signal.reason === this.#limit.reason;
  }

  async #followToEnd(begun: TaskState, notices: TaskNotices): Promise<CallToolResult> {
    for (let task = begun; ;) {
      this.#signal.throwIfAborted();
      this.#reportStatus(task);
      this.#requestState = task.requestState ?? this.#requestState;
      if (!isActive(task) || (task.isCore && task.status === 'input_required')) return this.#takeResult(task);
      await this.#handleInputRequests(task);
      task = (await notices.next(selectPollInterval(task), this.#signal)) ?? (await this.#poll(task));
    }
  }

  /** In 2025-11-25, a task that needs input sends its requests on the stream for its result. */
  async #takeResult(task: TaskState): Promise<CallToolResult> {
    const { taskId, status, error } = task;
    const isAsked = task.isCore && status !== 'cancelled';
    const given = isAsked ? await this.#request('tasks/result', { taskId }) : task.result;
    if (!isObject(given)) throw this.#end(task, isErrorObject(error) ? { error } : {});
    const { resultType: _resultType, ...result } = given;
    return { content: [], ...result };
  }

  async #poll({ taskId, isCore }: TaskState): Promise<TaskState> {
    const state = this.#requestState === undefined ? {} : { requestState: this.#requestState };
    const task = parseTask(await this.#request('tasks/get', { taskId, ...state }), isCore);
    if (task !== undefined) return task;
    const reason = 'the server returned something other than the task';
    throw new McpTaskEndedError(this.parts.settings.name, { taskId, status: 'lost', reason });
  }

  /** Handles each input request once. The server may list it again until it has processed the response. */
  async #handleInputRequests(task: TaskState): Promise<void> {
    const open = Object.entries(task.inputRequests).filter(([key]) => !this.#handled.has(key));
    if (open.length === 0) return;
    const inputResponses: { [key: string]: unknown } = {};
    for (const [key, question] of open) {
      this.#handled.add(key);
      if (!isInputRequest(question)) throw this.#end(task, { reason: 'it sent an unknown input request' });
      // A handler may wait for a user, and ignore the signal.
      const answering = this.parts.inputRequests.handle(question, this.#signal);
      inputResponses[key] = await untilAborted(answering, this.#signal);
    }
    await this.#request('tasks/update', { taskId: task.taskId, inputResponses });
  }

  #request(method: string, params: { readonly [name: string]: unknown }): Promise<unknown> {
    const isLong = method === 'tasks/result';
    const timeout = isLong ? this.maxMs : this.parts.settings.timeoutMs;
    const options = { timeout, signal: this.#signal };
    return this.parts.link.use((client) => client.request({ method, params }, ANY_RESULT, options), {
      signal: this.#signal,
      isRepeatable: method !== 'tasks/update',
    });
  }

  /** A 2026-07-28 server notifies about a task on request. If it does not, polling is enough. */
  #listen({ taskId, isCore }: TaskState): () => void {
    const stop = new AbortController();
    const filter = { taskIds: [taskId] } as SubscriptionFilter;
    const listening = this.parts.link.use(
      async (client, { isPerRequest }) => {
        if (isPerRequest && !isCore) await client.listen(filter, { signal: stop.signal });
      },
      { signal: stop.signal },
    );
    listening.catch(() => undefined);
    return () => stop.abort();
  }

  /** Sends the cancellation without waiting for the response. */
  #cancel({ taskId }: TaskState): void {
    const timeout = this.parts.settings.timeoutMs;
    const request = { method: 'tasks/cancel', params: { taskId } };
    const cancelling = this.parts.link.use((client) => client.request(request, ANY_RESULT, { timeout }));
    cancelling.catch(() => undefined);
  }

  #reportStatus({ taskId, status, statusMessage }: TaskState): void {
    const current = JSON.stringify([status, statusMessage]);
    if (current === this.#lastStatus) return;
    this.#lastStatus = current;
    this.#onStatus?.({ taskId, status, statusMessage });
    if (this.parts.progress$ === undefined && statusMessage !== undefined) this.#report(statusMessage);
  }

  /** If tasks have no progress, each new status message counts as a step. */
  #report(message: string): void {
    if (message === this.#reported) return;
    this.#reported = message;
    this.#onProgress?.({ progress: (this.#steps += 1), message });
  }

  #end({ taskId, status }: TaskState, why: { reason?: string; error?: JsonRpcErrorObject }) {
    return new McpTaskEndedError(this.parts.settings.name, { taskId, status, ...why });
  }
}

function isInputRequest(value: unknown): value is { readonly method: string; readonly params?: unknown } {
  return isObject(value) && typeof value['method'] === 'string';
}

function isErrorObject(value: unknown): value is JsonRpcErrorObject {
  return isObject(value) && typeof value['code'] === 'number' && typeof value['message'] === 'string';
}
