import { Query, Topic } from '../../cluster/cluster-bus.js';
import type { EndedOfCaller } from './mcp-sessions.interface.js';
import type { CallerTerms } from './caller-filter.js';

/** A request from the application to end everything that belongs to a caller. */
export interface CallerEnd {
  /** Identifies the request, so that a process that receives it twice handles it once. */
  readonly id: string;
  readonly terms: CallerTerms;
  /** When the application made the request, in milliseconds since the epoch. */
  readonly at: number;
  /** Whether to cancel the caller's tasks too. */
  readonly withTasks: boolean;
  /** The process that the application called. */
  readonly member: string;
}

/** A part of the application that holds callers' sessions, streams or tasks. */
export interface CallerPart {
  /** Ends everything that belongs to a caller in this part. Returns how much was ended. */
  endOf(end: CallerEnd): Partial<EndedOfCaller> | Promise<Partial<EndedOfCaller>>;
}

/** Adds up the counts of ended items. */
export function sumEnded(ended: readonly Partial<EndedOfCaller>[]): EndedOfCaller {
  const total = { sessions: 0, streams: 0, tasks: 0 };
  for (const { sessions = 0, streams = 0, tasks = 0 } of ended) {
    total.sessions += sessions;
    total.streams += streams;
    total.tasks += tasks;
  }
  return total;
}

/** Notifies every process to end everything that belongs to a caller. */
export const CALLER_ENDED = new Topic<CallerEnd>('callers.ended');

/** Makes every process end everything that belongs to a caller and return how much was ended. */
export const END_CALLER = new Query<CallerEnd, EndedOfCaller>('callers.end');
