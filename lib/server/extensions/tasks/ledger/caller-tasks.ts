import { McpError } from '../../../../core/protocol/mcp.error.js';
import { mergeScopes } from '../../../../core/oauth/scope.js';
import { selectSequentially } from '../../../catalog/visibility/select-sequentially.js';
import type { Visibility } from '../../../catalog/visibility/visibility.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { TaskRecord, TaskSelection } from '../../../settings/extensions/task-store.interface.js';
import type { ToolEntry } from '../../../catalog/entries.js';
import type { ToolRegistry } from '../../../catalog/registries.js';
import type { AuthView } from '../../../context/auth-view.interface.js';
import { NO_AUTH } from '../../../context/request-auth.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import type { CallerEnd, CallerPart } from '../../../sessions/callers/caller-end.js';
import { isMeant, type CallerTerms } from '../../../sessions/callers/caller-filter.js';
import type { EndedOfCaller } from '../../../sessions/callers/mcp-sessions.interface.js';
import type { TasksSettings } from '../../../settings/extensions/tasks-options.js';
import { restoreOrigin } from '../running/task-call.js';
import type { TaskLedger } from './task-ledger.js';
import { cancel } from './task-changes.js';

/**
 * The tasks that a caller can see: its own tasks, if its token has the scopes of their calls. Other callers' tasks
 * appear to be missing.
 */
export class CallerTasks {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly access: TaskAccess,
    private readonly visibility: Visibility,
  ) {}

  /**
   * Gets the task named in a request.
   *
   * @throws {McpError} -32602 if the caller has no such task
   * @throws {AuthError} 403 if the caller's token lacks a scope that the task's call required
   */
  async get(context: ExtensionContext): Promise<TaskRecord> {
    const { taskId } = context.params;
    if (typeof taskId !== 'string') throw McpError.invalidParams('"taskId" must be a string');
    const record = await this.find(taskId, context);
    if (record === undefined)
      throw McpError.invalidParams('"taskId" refers to a task that does not exist or has expired');
    this.assertAllowed([record], context);
    return record;
  }

  /** Finds a caller's task, regardless of the token's scopes. */
  async find(taskId: string, context: ExtensionContext): Promise<TaskRecord | undefined> {
    const { identity, auth } = context;
    const record = await this.ledger.find(taskId);
    if (record === undefined || record.owner !== identity) return undefined;
    return this.access.isKnown(record, auth) && (await this.#sees(record, context)) ? record : undefined;
  }

  /**
   * Rejects a request whose token lacks scopes for the caller's tasks.
   *
   * @throws {AuthError} 403 with the challenge for the scopes that the tasks' calls required
   */
  assertAllowed(records: readonly TaskRecord[], { auth }: ExtensionContext): void {
    this.access.assertAllowed(records, auth);
  }

  /** Lists the caller's tasks that its token may see, up to a limit. */
  async list(
    context: ExtensionContext,
    { after: begin, limit }: Pick<TaskSelection, 'after' | 'limit'>,
  ): Promise<readonly TaskRecord[]> {
    const { identity, session, auth, signal } = context;
    const scopes = [...(auth.authentication?.scopes ?? [])];
    const owner = {
      ...(identity !== undefined && { owner: identity }),
      ...(session && { sessionId: session.id }),
    };
    const seen: TaskRecord[] = [];
    let after = begin;
    // A store may ignore scopes, so pages are read until enough tasks are visible.
    while (seen.length < limit) {
      signal.throwIfAborted();
      const records = await this.ledger.list({ ...owner, scopes, ...(after && { after }), limit });
      const allowed = records.filter((record) => this.access.allows(record, auth));
      seen.push(...(await selectSequentially(allowed, Infinity, (record) => this.#sees(record, context))));
      after = records.at(-1);
      if (after === undefined || records.length < limit) break;
    }
    return seen.slice(0, limit);
  }

  /** A hidden tool's tasks are hidden too. */
  #sees(record: TaskRecord, context: ExtensionContext): boolean | Promise<boolean> {
    if (!this.visibility.isDeclared) return true;
    const tool = this.access.findTool(record);
    return tool === undefined || this.visibility.isVisible(tool, context);
  }
}

/** The properties that decide who may see a task. */
type GuardedTask = Pick<TaskRecord, 'scopes' | 'call'>;

/** Determines whether a token of the owner may see a task: it must have every scope that the call required. */
export class TaskAccess {
  constructor(private readonly tools: ToolRegistry) {}

  /**
   * Finds the scopes that a task requires. A record without scopes requires its tool's scopes. Returns `undefined` if
   * the tool is gone or its scopes depend on the call.
   */
  findScopes({ scopes, call }: GuardedTask): readonly string[] | undefined {
    if (Array.isArray(scopes)) return scopes;
    const tool = this.findTool({ call });
    return tool === undefined || tool.access?.dynamic !== undefined ? undefined : (tool.access?.scopes ?? []);
  }

  /** Finds the tool that a task calls, if it still exists. */
  findTool({ call }: Pick<TaskRecord, 'call'>): ToolEntry | undefined {
    const name = call.params['name'];
    return typeof name === 'string' ? this.tools.find(name) : undefined;
  }

  /** Returns whether a task's required scopes are known. If they are not, no token may see it. */
  isKnown(task: GuardedTask, auth: AuthView): boolean {
    return auth === NO_AUTH || this.findScopes(task) !== undefined;
  }

  /** Returns whether a caller may see its task. */
  allows(task: GuardedTask, auth: AuthView): boolean {
    const scopes = this.findScopes(task);
    return scopes === undefined ? auth === NO_AUTH : scopes.every((scope) => auth.hasScope(scope));
  }

  /**
   * Rejects a caller that may not see all of the given tasks, even though they are its own.
   *
   * @throws {AuthError} 403 with the challenge for the scopes that the tasks' calls required
   */
  assertAllowed(tasks: readonly GuardedTask[], auth: AuthView): void {
    const scopes = mergeScopes(...tasks.map((task) => this.findScopes(task) ?? []));
    if (scopes.length > 0) auth.requireScope(...scopes);
  }
}

/** Cancels the tasks of callers that were logged out, if the application requests it. */
export class CallerTaskCancellation implements CallerPart {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly bus: ClusterBus,
    private readonly settings: Pick<TasksSettings, 'store'>,
  ) {}

  async endOf({ terms, withTasks, member }: CallerEnd): Promise<Partial<EndedOfCaller>> {
    // With a shared store, only the process that received the request cancels tasks.
    const isOurs = this.settings.store === undefined || member === this.bus.member;
    if (!withTasks || !isOurs) return {};
    const theirs = (await this.ledger.listOpen()).filter((record) => isTheirs(terms, record));
    const cancelled = await Promise.all(theirs.map(({ taskId }) => this.ledger.change(taskId, cancel)));
    return { tasks: cancelled.filter((record) => record?.status === 'cancelled').length };
  }
}

function isTheirs(terms: CallerTerms, record: TaskRecord): boolean {
  const { identity, authentication } = restoreOrigin(record);
  return isMeant(terms, { identity, claims: authentication?.claims });
}
