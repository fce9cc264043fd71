import type { Subscription } from 'rxjs';
import { onceATurn } from '../../../../core/waiting/once-a-turn.js';
import type { ClientNotifier } from '../../../notifications/client-notifier.js';
import type { EventFeeds } from './event-feeds.js';

/** Announces each change of the list to clients. Changes of one turn are announced together. */
export function announceChanges(feeds: EventFeeds, notifier: ClientNotifier): Subscription {
  return feeds.changes$.subscribe(onceATurn(() => notifier.eventsListChanged()));
}
