import {
  either,
  flag,
  members,
  methods,
  milliseconds,
  positive,
} from '../../../core/checks/option-checks.js';

/** Checks the options of tasks. */
export const assertTasksOptions = either(
  'boolean',
  flag,
  members({
    ttlMs: positive,
    maximumTtlMs: positive,
    pollIntervalMs: milliseconds,
    concurrency: positive,
    maximumTasks: positive,
    maximumTasksPerIdentity: positive,
    holderTimeoutMs: milliseconds,
    storeTimeoutMs: milliseconds,
    closeTimeoutMs: milliseconds,
    store: methods('create', 'find', 'replace', 'list', 'listOpen', 'removeExpired'),
    queue: methods('start', 'add', 'stop'),
  }),
);
