import type { Subscription } from 'rxjs';
import type { ClientNotifier } from '../../../notifications/client-notifier.js';
import type { EventFeeds } from './event-feeds.js';

/** Tells clients of each change of the list; changes made in one go are told once. */
export function announceChanges(feeds: EventFeeds, notifier: ClientNotifier): Subscription {
  let isPending = false;
  return feeds.changes$.subscribe(() => {
    if (isPending) return;
    isPending = true;
    queueMicrotask(() => {
      isPending = false;
      notifier.eventsListChanged();
    });
  });
}
