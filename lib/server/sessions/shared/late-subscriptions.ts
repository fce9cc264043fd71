import type { ClusterPosition, ClusterRecord } from '../../settings/cluster/cluster.interface.js';
import { createExcessError, findExcess, type SubscriptionLimits } from '../subscription-limits.js';
import type { SubscriptionLimitError } from '../subscription-limit.error.js';
import type { Session } from '../session.js';
import { parseSessionRecord } from './session-record.js';

/** A session that uses less than this fraction of its bound is far from it, even if other processes add more. */
const PARTS = 4;

/** Returns whether a session may exceed its bound, if other processes accept subscriptions for it at the same time. */
export function isNearBounds(
  { subscriptions, subscriptionCharacters }: Pick<Session, 'subscriptions' | 'subscriptionCharacters'>,
  { maxSubscriptions, maxSubscriptionCharacters }: SubscriptionLimits,
): boolean {
  return (
    PARTS * subscriptions.size > maxSubscriptions ||
    PARTS * subscriptionCharacters > maxSubscriptionCharacters
  );
}

/** Finds why a subscription must end again: the earlier subscriptions of its session fill the bound. Returns `undefined` if it may stay. */
export function findLateExcess(
  record: ClusterRecord,
  uri: string,
  bounds: SubscriptionLimits,
): SubscriptionLimitError | undefined {
  const ordered = orderByPosition(parseSessionRecord(record).subscriptions);
  const excess = findExcess(ordered.slice(0, ordered.indexOf(uri) + 1), bounds);
  return excess && createExcessError(excess, bounds);
}

/** Gives what was subscribed to, in the same order in all processes: the oldest come first. */
export function orderByPosition(subscriptions: ReadonlyMap<string, ClusterPosition>): readonly string[] {
  return [...subscriptions]
    .toSorted(([one, { number }], [other, { number: later }]) => number - later || (one < other ? -1 : 1))
    .map(([uri]) => uri);
}
