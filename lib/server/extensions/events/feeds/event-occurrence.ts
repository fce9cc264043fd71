import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import type { EventFeed } from './event-feed.js';
import type { KeptEvent } from './replay-log.js';

/** An event as clients and receivers of webhooks get it. */
export interface EventOccurrence {
  readonly eventId: string;
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: OpenObject;
  /** Where the client stands after this event; `null` if the source has no cursors. */
  readonly cursor: string | null;
}

/** Builds what is sent of an event. */
export function buildOccurrence(
  feed: EventFeed,
  { place, emittedAt, eventId, data }: KeptEvent,
): EventOccurrence {
  return {
    eventId,
    name: feed.entry.name,
    timestamp: new Date(emittedAt).toISOString(),
    data,
    cursor: feed.formatPlace(place),
  };
}
