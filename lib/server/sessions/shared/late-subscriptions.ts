import type { ClusterPosition, ClusterRecord } from '../../settings/cluster/cluster.interface.js';
import { createExcessError, findExcess, type SubscriptionLimits } from '../subscription-limits.js';
import type { SubscriptionLimitError } from '../subscription-limit.error.js';
import type { Session } from '../session.js';
import { parseSessionRecord } from './session-record.js';

/** Below this fraction of its limit, a session stays within the limit even if other processes add subscriptions. */
const PARTS = 4;

/** Whether a session may exceed its limit when other processes accept subscriptions concurrently. */
export function isNearBounds(
  { subscriptions, subscriptionCharacters }: Pick<Session, 'subscriptions' | 'subscriptionCharacters'>,
  { maxSubscriptions, maxSubscriptionCharacters }: SubscriptionLimits,
): boolean {
  return (
    PARTS * subscriptions.size > maxSubscriptions ||
    PARTS * subscriptionCharacters > maxSubscriptionCharacters
  );
}

/** Returns the error for a subscription if earlier ones already reach the session's limit. */
export function findLateExcess(
  record: ClusterRecord,
  uri: string,
  limits: SubscriptionLimits,
): SubscriptionLimitError | undefined {
  const ordered = orderByPosition(parseSessionRecord(record).subscriptions);
  const excess = findExcess(ordered.slice(0, ordered.indexOf(uri) + 1), limits);
  return excess && createExcessError(excess, limits);
}

/** Sorts subscriptions, oldest first. The order is the same in all processes. */
export function orderByPosition(subscriptions: ReadonlyMap<string, ClusterPosition>): readonly string[] {
  return [...subscriptions]
    .toSorted(([one, { number }], [other, { number: later }]) => number - later || (one < other ? -1 : 1))
    .map(([uri]) => uri);
}
