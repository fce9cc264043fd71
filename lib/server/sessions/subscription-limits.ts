import type { SessionOptions } from '../settings/session-options.js';
import type { Session } from './session.js';
import { SubscriptionLimitError } from './subscription-limit.error.js';

/** How much a client may subscribe to. */
export type SubscriptionLimits = Pick<
  Required<SessionOptions>,
  'maxSubscriptions' | 'maxSubscriptionCharacters'
>;

/** What a client has too many of. */
export type Excess = 'members' | 'characters';

/** Finds what a client has too many of that subscribes to resources. Returns `undefined` if it has not. */
export function findExcess(
  uris: readonly unknown[],
  { maxSubscriptions, maxSubscriptionCharacters }: SubscriptionLimits,
): Excess | undefined {
  if (uris.length > maxSubscriptions) return 'members';
  let characters = 0;
  for (const uri of uris) characters += typeof uri === 'string' ? uri.length : 0;
  return characters > maxSubscriptionCharacters ? 'characters' : undefined;
}

/**
 * Passes if a session may subscribe to one more resource.
 *
 * @throws {SubscriptionLimitError} if it has as many as it may, or as many characters in them
 */
export function assertRoom(
  { subscriptions, subscriptionCharacters }: Pick<Session, 'subscriptions' | 'subscriptionCharacters'>,
  uri: string,
  bounds: SubscriptionLimits,
): void {
  if (subscriptions.size >= bounds.maxSubscriptions) throw createExcessError('members', bounds);
  if (subscriptionCharacters + uri.length > bounds.maxSubscriptionCharacters) {
    throw createExcessError('characters', bounds);
  }
}

/** Creates the refusal of a subscription that a session has no room for. */
export function createExcessError(
  excess: Excess,
  { maxSubscriptions, maxSubscriptionCharacters }: SubscriptionLimits,
): SubscriptionLimitError {
  return excess === 'members'
    ? new SubscriptionLimitError(maxSubscriptions, 'subscriptions')
    : new SubscriptionLimitError(maxSubscriptionCharacters, 'characters in subscriptions');
}
