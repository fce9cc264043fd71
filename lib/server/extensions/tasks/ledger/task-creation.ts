import { randomBytes, randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import { CallerShares, type Sharer } from '../../../sessions/caller-shares.js';
import { findAnonymousAddress } from '../../../context/caller-identity.js';
import type { MemoryHold } from '../../../memory/memory-budget.js';
import type { RequestContext } from '../../../context/request-context.js';
import type { TaskProfile, TaskRecord } from '../../../settings/extensions/task-store.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import { recordCall } from '../running/task-call.js';
import { isOver } from './task-changes.js';
import type { TaskLedger } from './task-ledger.js';

/** The times of one task that its tool or its handler sets. */
export interface TaskTimes {
  /** Milliseconds for which the task is kept after its creation. @default the server's `tasks.ttlMs` */
  readonly ttlMs?: number | undefined;
  /** Milliseconds that clients should leave between two polls. @default the server's `tasks.pollIntervalMs` */
  readonly pollIntervalMs?: number | undefined;
}

/** The context of a counted request. */
type CountedContext = Partial<Pick<RequestContext, 'memory'>>;

/** A task that is not over. */
interface OpenTask {
  readonly owner: Sharer;
  /** Counts the call that it runs. */
  readonly memory: MemoryHold | undefined;
  /** Ends its subscription to changes. */
  readonly unfollow: () => void;
  /** Whether the store has it. */
  isStored: boolean;
}

/** An id that nobody can guess: as long as a key of 192 bits. */
const ID_BYTES = 24;

/** Creates tasks, up to the allowed number. */
export class TaskCreation implements OnApplicationShutdown {
  readonly #open = new Map<string, OpenTask>();
  readonly #shares: CallerShares;
  readonly #subscription: Subscription;

  constructor(
    private readonly ledger: TaskLedger,
    private readonly holder: TaskHolder,
    private readonly settings: TasksSettings,
  ) {
    const { maxTasks: all, maxTasksPerCaller: perIdentity } = settings;
    // On a server that requires tokens, a caller without a token has no tasks.
    this.#shares = new CallerShares({ all, perIdentity, perAddress: perIdentity, isProtected: false });
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
   * @throws {McpError} -32603 if too many are under way
   * @throws {MemoryLimitError} if there is not enough memory for it
   */
  async create(
    context: ExtensionContext & CountedContext,
    profile: TaskProfile,
    { isLocal = false, ...times }: TaskTimes & { readonly isLocal?: boolean },
  ): Promise<TaskRecord> {
    const owner = { identity: context.identity, address: findAnonymousAddress(context) };
    this.#assertRoom(owner);
    const record = this.#build(context, profile, { isLocal, ...times });
    const task = this.#take(record, owner, context);
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

  /** Lists the tasks that were under way in this process when they were last stored. */
  listOpen(): readonly string[] {
    return [...this.#open].flatMap(([taskId, { isStored }]) => (isStored ? [taskId] : []));
  }

  /** Releases the memory and the place of a task's call, which is over. */
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
    const lifetimeMs = Math.min(findAskedTtl(context, profile) ?? ttlMs, this.settings.maxTtlMs);
    const waitsElsewhere = !isLocal && this.settings.queue?.isDurable === true;
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
      ...(!waitsElsewhere && { holder: this.holder.id }),
    };
  }

  #assertRoom(owner: Sharer): void {
    if (this.#shares.findBound(owner) === undefined) return;
    throw new McpError(
      ErrorCode.InternalError,
      'There are too many tasks under way: wait for one to end first',
    );
  }

  /** The call is kept until the task is over. That is longer than its request. */
  #take({ taskId }: TaskRecord, owner: Sharer, { memory }: CountedContext): OpenTask {
    const unfollow = this.ledger.follow(taskId);
    const task = { owner, memory: memory?.transfer(), unfollow, isStored: false };
    this.#open.set(taskId, task);
    this.#shares.add(owner);
    return task;
  }
}

/** A client of 2025-11-25 says how long it wants the task to be kept. */
function findAskedTtl({ params }: ExtensionContext, profile: TaskProfile): number | undefined {
  const asked = profile === 'core' && isObject(params['task']) ? params['task']['ttl'] : undefined;
  return typeof asked === 'number' && Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
}

/** The runner of tasks here, among all that share a store. Each server of a process is one. */
export class TaskHolder {
  readonly id = randomUUID();
}
