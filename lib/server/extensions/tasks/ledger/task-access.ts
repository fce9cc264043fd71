import { uniteScopes } from '../../../../core/oauth/scope.js';
import type { ToolEntry } from '../../../catalog/entries.js';
import type { ToolRegistry } from '../../../catalog/registries.js';
import type { AuthView } from '../../../context/auth-view.interface.js';
import { NO_AUTH } from '../../../context/request-auth.js';
import type { TaskRecord } from '../../../settings/extensions/task-store.interface.js';

/** The facts that decide who may see a task. */
type GuardedTask = Pick<TaskRecord, 'scopes' | 'call'>;

/** Tells whether a token of the owner may see a task. It must have every scope that the call required. */
export class TaskAccess {
  constructor(private readonly tools: ToolRegistry) {}

  /**
   * Finds the scopes that a task requires. A task that was stored without them requires those of its tool. Nothing is known
   * if the tool is gone, or if its scopes depend on the call.
   */
  findScopes({ scopes, call }: GuardedTask): readonly string[] | undefined {
    if (Array.isArray(scopes)) return scopes;
    const tool = this.findTool({ call });
    return tool === undefined || tool.access?.dynamic !== undefined ? undefined : (tool.access?.scopes ?? []);
  }

  /** Finds the tool that a task calls, if it is still there. */
  findTool({ call }: Pick<TaskRecord, 'call'>): ToolEntry | undefined {
    const name = call.params['name'];
    return typeof name === 'string' ? this.tools.find(name) : undefined;
  }

  /** Tells whether a token could be enough for a task. Nobody sees a task whose requirements are unknown. */
  isKnown(task: GuardedTask, auth: AuthView): boolean {
    return auth === NO_AUTH || this.findScopes(task) !== undefined;
  }

  /** Tells whether a caller may see a task of theirs. */
  allows(task: GuardedTask, auth: AuthView): boolean {
    const scopes = this.findScopes(task);
    return scopes === undefined ? auth === NO_AUTH : scopes.every((scope) => auth.hasScope(scope));
  }

  /**
   * Refuses a caller who may not see every one of some tasks of theirs.
   *
   * @throws {AuthError} 403 with the challenge by which the calls of the tasks would be refused
   */
  assertAllowed(tasks: readonly GuardedTask[], auth: AuthView): void {
    const scopes = uniteScopes(...tasks.map((task) => this.findScopes(task) ?? []));
    if (scopes.length > 0) auth.requireScope(...scopes);
  }
}
