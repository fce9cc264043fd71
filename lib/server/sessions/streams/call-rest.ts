import type { EventLog, StreamEvent } from './event-log.js';
import { findMissed, type StreamRecord } from './stream-part.js';

/** What is kept of a call's stream. */
export interface CallRest {
  readonly stream: string;
  readonly ordinal: number;
  /** Whether a reader was given all of it. */
  readonly isDelivered: boolean;
  /** The scopes that the reader's token must have. */
  readonly scopes: readonly string[];
  /** Oldest first, the last one of the stream among them. */
  readonly events: readonly StreamEvent[];
}

/** Collects what is kept of calls' streams. */
export function collectRests(calls: Iterable<StreamRecord>, log: EventLog): readonly CallRest[] {
  const rests: CallRest[] = [];
  for (const record of calls) {
    const { name: stream, ordinal, scopes = [] } = record;
    const events = log.storedAfter(stream, 0);
    const isDelivered = findMissed(log, record).length === 0;
    if (events.length > 0) rests.push({ stream, ordinal, isDelivered, scopes, events });
  }
  return rests;
}
