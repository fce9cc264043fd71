import type { Subscription } from 'rxjs';
import type { ClientNotifier } from '../../../notifications/client-notifier.js';
import type { EventFeeds } from './event-feeds.js';

/** Announces each change of the list to clients. Changes of one turn are announced together. */
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
