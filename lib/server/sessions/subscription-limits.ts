import type { SessionOptions } from '../settings/session-options.js';
import type { Session } from './session.js';
import { SubscriptionLimitError } from './subscription-limit.error.js';

/** How much a client may subscribe to. */
export type SubscriptionLimits = Pick<
  Required<SessionOptions>,
  'maxSubscriptions' | 'maxSubscriptionCharacters'
>;

/** The limit that a client's subscriptions exceed. */
export type Excess = 'members' | 'characters';

/** Finds the limit that a client's subscriptions exceed. Returns `undefined` if they exceed none. */
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
 * Asserts that a session may subscribe to one more resource.
 *
 * @throws {SubscriptionLimitError} if it has reached its limit on subscriptions, or on characters in them
 */
export function assertRoom(
  { subscriptions, subscriptionCharacters }: Pick<Session, 'subscriptions' | 'subscriptionCharacters'>,
  uri: string,
  limits: SubscriptionLimits,
): void {
  if (subscriptions.size >= limits.maxSubscriptions) throw createExcessError('members', limits);
  if (subscriptionCharacters + uri.length > limits.maxSubscriptionCharacters) {
    throw createExcessError('characters', limits);
  }
}

/** Creates the error for a subscription that exceeds a limit. */
export function createExcessError(
  excess: Excess,
  { maxSubscriptions, maxSubscriptionCharacters }: SubscriptionLimits,
): SubscriptionLimitError {
  return excess === 'members'
    ? new SubscriptionLimitError(maxSubscriptions, 'subscriptions')
    : new SubscriptionLimitError(maxSubscriptionCharacters, 'characters in subscriptions');
}
