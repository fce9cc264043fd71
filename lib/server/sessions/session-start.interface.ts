import type { MemoryReservation } from '../memory/memory-budget.js';
import type { StoredClient } from './stored-client.js';
import type { SharedPart } from './shared/shared-part.js';
import type { EventLogLimits } from './streams/event-log.js';

/** What is known about a session before it begins. */
export interface SessionStart {
  readonly id: string;
  /** When it was initialized, in milliseconds since the epoch. */
  readonly opened: number;
  /** The latest time at which it ends, in milliseconds since the epoch. */
  readonly expires: number;
  /** Whether another process initialized it, so that the session is live from the start. @default false */
  readonly isRecovered?: boolean;
  /** The part shared with other processes; absent if only this process has the session. */
  readonly shared?: SharedPart | undefined;
}

/** The parts of a session. */
export interface SessionMeans<Holder> {
  readonly client: StoredClient;
  /** Counts the session's memory. Ending the session releases it. */
  readonly memory: MemoryReservation;
  readonly limits: EventLogLimits;
  /** Ends the session when another one needs its slot. */
  readonly evict: (session: Holder) => void;
}
