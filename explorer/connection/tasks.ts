import { parseTask, type TaskState } from '../../lib/client/tasks/task-response.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { Store } from './store.js';

/** A task known to the page. */
export interface KnownTask extends TaskState {
  /** The called tool; absent if the task was started elsewhere. */
  readonly tool: string | undefined;
  /** The task in the server's last message. */
  readonly received: unknown;
}

/** The tasks that this page started, or that the server lists, newest first. */
export class Tasks extends Store {
  readonly #known = new Map<string, KnownTask>();

  get known(): readonly KnownTask[] {
    return [...this.#known.values()].toReversed();
  }

  find(taskId: string | undefined): KnownTask | undefined {
    return taskId === undefined ? undefined : this.#known.get(taskId);
  }

  /** Records that a tool call became a task. */
  begin(task: TaskState, tool: string): void {
    this.#known.set(task.taskId, { ...task, tool, received: task });
    this.changed();
  }

  /** Records the tasks in a list. */
  learnList(list: unknown): void {
    const listed = isObject(list) ? list['tasks'] : undefined;
    this.learn(Array.isArray(listed) ? listed.toReversed() : []);
  }

  /** Records the server's notifications about tasks. Others are ignored. */
  learn(received: readonly unknown[]): void {
    for (const one of received) {
      const task = parseTask(one, !isOfExtension(one));
      if (task !== undefined)
        this.#known.set(task.taskId, { ...task, tool: this.#known.get(task.taskId)?.tool, received: one });
    }
    this.changed();
  }

  /** Removes all tasks, because the next connection may have another caller. */
  clear(): void {
    this.#known.clear();
    this.changed();
  }
}

/** Only the extension defines the retention time in milliseconds. */
function isOfExtension(received: unknown): boolean {
  return isObject(received) && 'ttlMs' in received;
}
