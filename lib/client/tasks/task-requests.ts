import type { TaskAnswer } from './task-answer.js';

const DEFAULT_POLL_MS = 1_000;
const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 60_000;

/** Lets every result through: what a task has in it depends on its status. */
export const ANY_RESULT = {
  '~standard': { version: 1, vendor: 'nestjs-mcp', validate: (value: unknown) => ({ value }) },
} as const;

/** Selects the pace at which a task is looked at: the server's, within reason. */
export function selectPollInterval({ pollIntervalMs = DEFAULT_POLL_MS }: TaskAnswer): number {
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, pollIntervalMs));
}

/** Tells whether a server continues with a task, or waits for an answer to do so. */
export function isUnderWay({ status }: TaskAnswer): boolean {
  return status === 'working' || status === 'input_required';
}
