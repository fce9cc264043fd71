import type { SessionOptions } from '../settings/mcp-options.interface.js';
import type { Session } from './session.js';
import { SubscriptionLimitError } from './subscription-limit.error.js';

type Bounds = Pick<Required<SessionOptions>, 'maximumSubscriptions' | 'maximumSubscriptionCharacters'>;

/** Finds what a client has too many of that subscribes to resources. Returns `undefined` if it has not. */
export function findExcess(
  uris: readonly unknown[],
  { maximumSubscriptions, maximumSubscriptionCharacters }: Bounds,
): 'members' | 'characters' | undefined {
  if (uris.length > maximumSubscriptions) return 'members';
  let characters = 0;
  for (const uri of uris) characters += typeof uri === 'string' ? uri.length : 0;
  return characters > maximumSubscriptionCharacters ? 'characters' : undefined;
}

/**
 * Passes if a session may subscribe to one more resource.
 *
 * @throws {SubscriptionLimitError} if it has as many as it may, or as many characters in them
 */
export function assertRoom(
  { subscriptions, subscriptionCharacters }: Pick<Session, 'subscriptions' | 'subscriptionCharacters'>,
  uri: string,
  { maximumSubscriptions, maximumSubscriptionCharacters }: Bounds,
): void {
  if (subscriptions.size >= maximumSubscriptions) {
    throw new SubscriptionLimitError(maximumSubscriptions, 'subscriptions');
  }
  if (subscriptionCharacters + uri.length > maximumSubscriptionCharacters) {
    throw new SubscriptionLimitError(maximumSubscriptionCharacters, 'characters in subscriptions');
  }
}
