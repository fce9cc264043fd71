import type { CallOutcome } from '../../../dispatch/hosted-call.interface.js';
import { complete, fail, giveUp, type TaskChange } from '../ledger/task-changes.js';

/** Ends a task whose result finds no room. */
export const NO_MEMORY = giveUp('The server has no memory left for the result of the task');

/** Ends a task with what came of its call. */
export function settle(outcome: NonNullable<CallOutcome>): TaskChange {
  return 'error' in outcome ? fail(outcome.error) : complete(outcome.result);
}
