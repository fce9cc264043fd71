/** A task's order in lists. */
export interface ListedTask {
  readonly taskId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly owner?: string | undefined;
  readonly sessionId?: string | undefined;
}

/** Selects the tasks to list. */
export interface ListedPart {
  readonly owner?: string | undefined;
  /** Applies if the owner is unknown. */
  readonly sessionId?: string | undefined;
  /** The last task of the previous page. */
  readonly after?: Pick<ListedTask, 'createdAt' | 'taskId'> | undefined;
  readonly limit: number;
}

/**
 * Selects a page of an owner's tasks, or of a session's tasks if the owner is unknown, sorted by `createdAt` and then
 * by `taskId`.
 */
export function selectTasks<Task extends ListedTask>(
  tasks: readonly Task[],
  { owner, sessionId, after, limit }: ListedPart,
): readonly Task[] {
  return tasks
    .filter((task) =>
      owner === undefined ? task.owner === undefined && task.sessionId === sessionId : task.owner === owner,
    )
    .filter((task) => after === undefined || compare(task, after) > 0)
    .toSorted(compare)
    .slice(0, limit);
}

type TaskPosition = Pick<ListedTask, 'createdAt' | 'taskId'>;

function compare(one: TaskPosition, other: TaskPosition): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
  if (one.taskId === other.taskId) return 0;
  return one.taskId < other.taskId ? -1 : 1;
}
