import { McpError } from '../../../../core/protocol/mcp.error.js';
import { selectInTurn } from '../../../catalog/visibility/select-in-turn.js';
import type { Visibility } from '../../../catalog/visibility/visibility.js';
import type { ExtensionContext } from '../../../dispatch/extension.interface.js';
import type { TaskRecord, TaskSelection } from '../../../settings/extensions/task-store.interface.js';
import type { TaskAccess } from './task-access.js';
import type { TaskLedger } from './task-ledger.js';

/**
 * Tasks as their owners find them. A task of somebody else is unknown, and their own is visible to a token that would be
 * enough for its call.
 */
export class OwnedTasks {
  constructor(
    private readonly ledger: TaskLedger,
    private readonly access: TaskAccess,
    private readonly visibility: Visibility,
  ) {}

  /**
   * Gets the task that a request names.
   *
   * @throws {McpError} -32602 if the caller has no such task
   * @throws {AuthError} 403 if the caller's token lacks a scope that the call of the task required
   */
  async get(context: ExtensionContext): Promise<TaskRecord> {
    const { taskId } = context.params;
    if (typeof taskId !== 'string') throw McpError.invalidParams('"taskId" must be a string');
    const record = await this.find(taskId, context);
    if (record === undefined) throw McpError.invalidParams('"taskId" names no task, or one that has expired');
    this.assertAllowed([record], context);
    return record;
  }

  /** Finds a task of the caller, whatever the caller's token allows. */
  async find(taskId: string, context: ExtensionContext): Promise<TaskRecord | undefined> {
    const { identity, auth } = context;
    const record = await this.ledger.find(taskId);
    if (record === undefined || record.owner !== identity) return undefined;
    return this.access.isKnown(record, auth) && (await this.#sees(record, context)) ? record : undefined;
  }

  /**
   * Refuses a request by whose token tasks of its caller cannot be seen.
   *
   * @throws {AuthError} 403 with the challenge by which the calls of the tasks would be refused
   */
  assertAllowed(records: readonly TaskRecord[], { auth }: ExtensionContext): void {
    this.access.assertAllowed(records, auth);
  }

  /** Lists the caller's tasks that can be seen by the caller's token, at most so many. */
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
    // A store need not know scopes: if it gives tasks in vain, the next ones take their places.
    while (seen.length < limit) {
      signal.throwIfAborted();
      const records = await this.ledger.list({ ...owner, scopes, ...(after && { after }), limit });
      const allowed = records.filter((record) => this.access.allows(record, auth));
      seen.push(...(await selectInTurn(allowed, Infinity, (record) => this.#sees(record, context))));
      after = records.at(-1);
      if (after === undefined || records.length < limit) break;
    }
    return seen.slice(0, limit);
  }

  /** Who does not see a tool sees none of its tasks. */
  #sees(record: TaskRecord, context: ExtensionContext): boolean | Promise<boolean> {
    if (!this.visibility.isDeclared) return true;
    const tool = this.access.findTool(record);
    return tool === undefined || this.visibility.sees(tool, context);
  }
}
