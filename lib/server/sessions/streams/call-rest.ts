import type { EventLog, StreamEvent } from './event-log.js';
import { findMissed, type StreamRecord } from './stream-part.js';

/** A call stream's stored events. */
export interface CallRest {
  readonly stream: string;
  readonly ordinal: number;
  /** Whether all of them were sent to a reader. */
  readonly isDelivered: boolean;
  /** The scopes that the reader's token must have. */
  readonly scopes: readonly string[];
  /** Oldest first, up to and including the stream's last event. */
  readonly events: readonly StreamEvent[];
}

/** Collects call streams' stored events. */
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
