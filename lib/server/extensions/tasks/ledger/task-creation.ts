import { randomBytes, randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import { CallerShares, type Sharer } from '../../../sessions/caller-shares.js';
import { findAnonymousAddress } from '../../../context/caller-identity.js';
import type { MemoryReservation } from '../../../memory/memory-budget.js';
import type { RequestContext } from '../../../context/request-context.js';
import type { TaskProfile, TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import { recordCall } from '../running/task-call.js';
import { isOver } from './task-changes.js';
import type { TaskLedger } from './task-ledger.js';

/** A task's lifetime and polling interval, as set by its tool or handler. */
export interface TaskTimes {
  /** How long the task is retained after its creation, in milliseconds. @default the server's `tasks.ttlMs` */
  readonly ttlMs?: number | undefined;
  /** The polling interval that the server suggests to clients, in milliseconds. @default the server's `tasks.pollIntervalMs` */
  readonly pollIntervalMs?: number | undefined;
}

/** The context of a request whose memory is counted. */
type CountedContext = Partial<Pick<RequestContext, 'memory'>>;

/** An unfinished task. */
interface OpenTask {
  readonly owner: Sharer;
  /** Its call's memory. */
  readonly memory: MemoryReservation | undefined;
  /** Unsubscribes from its changes. */
  readonly unfollow: () => void;
  /** Whether it is in the store. */
  isStored: boolean;
}

/** The length of a task id, which makes it as hard to guess as a 192-bit key. */
const ID_BYTES = 24;

/** Creates tasks within the limits. */
export class TaskCreation implements OnApplicationShutdown {
  readonly #open = new Map<string, OpenTask>();
  readonly #shares: CallerShares;
  readonly #subscription: Subscription;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly worker: TaskWorker,
    private readonly settings: TasksSettings,
  ) {
    const { maxTasks: all, maxTasksPerCaller: perCaller } = settings;
    // On a server that requires tokens, anonymous callers have no tasks.
    this.#shares = new CallerShares({ all, perCaller, perAddress: perCaller, isProtected: false });
    this.#subscription = ledger.changes$.subscribe((record) => {
      if (isOver(record)) this.forget(record.taskId);
    });
  }

  onApplicationShutdown(): void {
    this.#subscription.unsubscribe();
  }

  /**
   * Creates a task for a call. When the promise resolves, every process can find the task.
   *
   * @throws {McpError} -32603 if there are too many unfinished tasks
   * @throws {MemoryLimitError} if there is not enough memory
   */
  async create(
    context: ExtensionContext & CountedContext,
    profile: TaskProfile,
    { isLocal = false, ...times }: TaskTimes & { readonly isLocal?: boolean },
  ): Promise<TaskRecord> {
    const owner = { identity: context.identity, address: findAnonymousAddress(context) };
    this.#assertBelowLimit(owner);
    const record = this.#build(context, profile, { isLocal, ...times });
    const task = this.#register(record, owner, context);
    try {
      await this.ledger.create(record, owner.address);
      task.isStored = true;
      context.operation?.noteTask(record.taskId);
      return record;
    } catch (error) {
      this.forget(record.taskId);
      throw error;
    }
  }

  /** Lists this process's stored, unfinished tasks. */
  listOpen(): readonly string[] {
    return [...this.#open].flatMap(([taskId, { isStored }]) => (isStored ? [taskId] : []));
  }

  /** Releases the memory for a call that has ended. */
  endCall(taskId: string): void {
    this.#open.get(taskId)?.memory?.release();
  }

  /** Stops counting a task. */
  forget(taskId: string): void {
    const task = this.#open.get(taskId);
    if (task === undefined) return;
    this.#open.delete(taskId);
    this.#shares.remove(task.owner);
    task.memory?.release();
    task.unfollow();
  }

  #build(
    context: ExtensionContext,
    profile: TaskProfile,
    { isLocal, ttlMs = this.settings.ttlMs, pollIntervalMs }: TaskTimes & { readonly isLocal: boolean },
  ): TaskRecord {
    const now = new Date();
    const lifetimeMs = Math.min(findRequestedTtl(context, profile) ?? ttlMs, this.settings.maxTtlMs);
    const waitsInDurableQueue = !isLocal && this.settings.queue?.isDurable === true;
    const { identity, session, auth } = context;
    const { requiredScopes } = auth;
    return {
      taskId: randomBytes(ID_BYTES).toString('base64url'),
      version: 1,
      status: 'working',
      createdAt: now.toISOString(),
      lastUpdatedAt: now.toISOString(),
      ttlMs: lifetimeMs,
      pollIntervalMs: pollIntervalMs ?? this.settings.pollIntervalMs,
      expires: now.getTime() + lifetimeMs,
      profile,
      call: { ...recordCall(context), ...(isLocal && { isLocal }) },
      inputRequests: {},
      inputResponses: {},
      ...(identity !== undefined && { owner: identity }),
      ...(requiredScopes && { scopes: requiredScopes }),
      ...(session !== undefined && { sessionId: session.id }),
      ...(!waitsInDurableQueue && { worker: this.worker.id }),
    };
  }

  #assertBelowLimit(owner: Sharer): void {
    if (this.#shares.findBound(owner) === undefined) return;
    throw new McpError(
      ErrorCode.InternalError,
      'There are too many unfinished tasks: wait for one to end first',
    );
  }

  /** The call's memory is held until the task is finished, which is longer than the request. */
  #register({ taskId }: TaskRecord, owner: Sharer, { memory }: CountedContext): OpenTask {
    const unfollow = this.ledger.follow(taskId);
    const task = { owner, memory: memory?.transfer(), unfollow, isStored: false };
    this.#open.set(taskId, task);
    this.#shares.add(owner);
    return task;
  }
}

/** A 2025-11-25 client may request a time to live. */
function findRequestedTtl({ params }: ExtensionContext, profile: TaskProfile): number | undefined {
  const asked = profile === 'core' && isObject(params['task']) ? params['task']['ttl'] : undefined;
  return typeof asked === 'number' && Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
}

/** Distinguishes this server's tasks from those of other servers that share the store. */
export class TaskWorker {
  readonly id = randomUUID();
}
