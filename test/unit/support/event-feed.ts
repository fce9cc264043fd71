import type { Observable } from 'rxjs';
import { EventCursors } from '../../../lib/server/extensions/events/feeds/event-cursors.js';
import { EventFeed } from '../../../lib/server/extensions/events/feeds/event-feed.js';
import { buildEventSourceEntry } from '../../../lib/server/extensions/events/feeds/event-source-entry.js';
import { Sealer } from '../../../lib/core/sealing/sealer.js';
import type {
  EventRecipient,
  EventSourceOptions,
} from '../../../lib/server/settings/extensions/event-source-options.js';
import {
  buildEventsSettings,
  type EventsOptions,
} from '../../../lib/server/settings/extensions/events-options.js';

const sealer = new Sealer();

/** Cursors that every feed of the tests reads. */
export const CURSORS = new EventCursors(() => ({
  sign: (value) => sealer.seal('extension', value),
  verify: (sealed) => sealer.open('extension', sealed),
}));

/** Somebody who asks for nothing in particular. */
export const ANYBODY: EventRecipient = { arguments: {}, claims: undefined };

interface FeedOptions {
  readonly options?: EventSourceOptions;
  readonly limits?: EventsOptions;
}

/** Builds the feed of a source; it is not started. */
export function buildFeed(
  values$: Observable<unknown>,
  { options = {}, limits = {} }: FeedOptions = {},
): EventFeed {
  const entry = buildEventSourceEntry({
    name: options.name ?? 'ticket.closed',
    options,
    access: {},
    hasWebhooks: false,
    open: () => values$,
  });
  return new EventFeed(entry, CURSORS, buildEventsSettings(limits));
}

/** Gives the payloads that a feed keeps, the oldest first. */
export function listKept({ log }: EventFeed): readonly unknown[] {
  const kept: unknown[] = [];
  for (let event = log.findAfter(0); event !== undefined; event = log.findAfter(event.number))
    kept.push(event.data);
  return kept;
}
