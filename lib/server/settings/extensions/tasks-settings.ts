import { onlyGiven } from '../only-given.js';
import type { TasksOptions } from './tasks-options.interface.js';

/** The options of tasks with every default filled in. A missing store or queue is created. */
export type TasksSettings = Required<Omit<TasksOptions, 'store' | 'queue'>> &
  Pick<TasksOptions, 'store' | 'queue'>;

/** Fills the defaults of tasks in. */
export function buildTasksSettings(options: true | TasksOptions): TasksSettings {
  return {
    ttlMs: 60 * 60_000,
    maximumTtlMs: 24 * 60 * 60_000,
    pollIntervalMs: 1000,
    concurrency: 32,
    maximumTasks: 10_000,
    maximumTasksPerIdentity: 1000,
    holderTimeoutMs: 30_000,
    storeTimeoutMs: 10_000,
    closeTimeoutMs: 5000,
    ...onlyGiven(options === true ? {} : options),
  };
}
