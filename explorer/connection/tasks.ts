import { parseTask, type TaskState } from '../../lib/client/tasks/task-response.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { Store } from './store.js';

/** A task that the page knows of. */
export interface KnownTask extends TaskState {
  /** The tool that it is a call of; absent if somebody else has called it. */
  readonly tool: string | undefined;
  /** All that the server says of it. */
  readonly told: unknown;
}

/** The tasks that this page has begun, or that the server lists: the last first. */
export class Tasks extends Store {
  readonly #known = new Map<string, KnownTask>();

  get known(): readonly KnownTask[] {
    return [...this.#known.values()].toReversed();
  }

  find(taskId: string | undefined): KnownTask | undefined {
    return taskId === undefined ? undefined : this.#known.get(taskId);
  }

  /** Notes that a call of a tool became a task. */
  begin(task: TaskState, tool: string): void {
    this.#known.set(task.taskId, { ...task, tool, told: task });
    this.changed();
  }

  /** Notes the tasks of a list. */
  learnList(list: unknown): void {
    const listed = isObject(list) ? list['tasks'] : undefined;
    this.learn(Array.isArray(listed) ? listed.toReversed() : []);
  }

  /** Records the server's notices about tasks. Others are ignored. */
  learn(told: readonly unknown[]): void {
    for (const one of told) {
      const task = parseTask(one, !isOfExtension(one));
      if (task !== undefined)
        this.#known.set(task.taskId, { ...task, tool: this.#known.get(task.taskId)?.tool, told: one });
    }
    this.changed();
  }

  /** Forgets all of them: who connects again may be somebody else. */
  clear(): void {
    this.#known.clear();
    this.changed();
  }
}

/** Only the extension says in milliseconds how long a task is kept. */
function isOfExtension(told: unknown): boolean {
  return isObject(told) && 'ttlMs' in told;
}
