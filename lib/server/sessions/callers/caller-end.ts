import { Query, Topic } from '../../cluster/cluster-bus.js';
import type { EndedOfCaller } from './mcp-sessions.interface.js';
import type { CallerTerms } from './caller-filter.js';

/** The application ends what a caller has. */
export interface CallerEnd {
  /** Identifies the end, so that a process that gets it twice ends the caller once. */
  readonly id: string;
  readonly terms: CallerTerms;
  /** When that was, in milliseconds of the epoch. */
  readonly at: number;
  /** Whether the caller's tasks are cancelled too. */
  readonly withTasks: boolean;
  /** The process that was asked to. */
  readonly member: string;
}

/** What part of an application ends with its callers. */
export interface CallerPart {
  /** Ends everything of a caller in it. Returns how much that was. */
  endOf(end: CallerEnd): Partial<EndedOfCaller> | Promise<Partial<EndedOfCaller>>;
}

/** Adds up what ended. */
export function sumEnded(ended: readonly Partial<EndedOfCaller>[]): EndedOfCaller {
  const total = { sessions: 0, streams: 0, tasks: 0 };
  for (const { sessions = 0, streams = 0, tasks = 0 } of ended) {
    total.sessions += sessions;
    total.streams += streams;
    total.tasks += tasks;
  }
  return total;
}

/** Tells every process to end everything of a caller. */
export const CALLER_ENDED = new Topic<CallerEnd>('callers.ended');

/** Asks every process to end what a caller has, and how much that was. */
export const END_CALLER = new Query<CallerEnd, EndedOfCaller>('callers.end');
