import type { ClusterPosition, ClusterRecord } from '../../settings/cluster/cluster.interface.js';
import type { SessionOptions } from '../../settings/mcp-options.interface.js';
import { findExcess } from '../subscription-bounds.js';
import { SubscriptionLimitError } from '../subscription-limit.error.js';
import type { Session } from '../session.js';
import { parseSessionRecord } from './session-record.js';

type Bounds = Pick<Required<SessionOptions>, 'maximumSubscriptions' | 'maximumSubscriptionCharacters'>;

/** A session that uses less than this fraction of its bound is far from it, even if other processes add more. */
const PARTS = 4;

/** Tells whether a session may exceed its bound, if other processes accept subscriptions for it at the same time. */
export function isNearBounds(
  { subscriptions, subscriptionCharacters }: Pick<Session, 'subscriptions' | 'subscriptionCharacters'>,
  { maximumSubscriptions, maximumSubscriptionCharacters }: Bounds,
): boolean {
  return (
    PARTS * subscriptions.size > maximumSubscriptions ||
    PARTS * subscriptionCharacters > maximumSubscriptionCharacters
  );
}

/** Returns the function that refuses a subscription beyond the bound. Earlier subscriptions come first. */
export function findLateExcess(
  record: ClusterRecord,
  uri: string,
  bounds: Bounds,
): SubscriptionLimitError | undefined {
  const ordered = orderByPosition(parseSessionRecord(record).subscriptions);
  const excess = findExcess(ordered.slice(0, ordered.indexOf(uri) + 1), bounds);
  if (excess === undefined) return undefined;
  return excess === 'members'
    ? new SubscriptionLimitError(bounds.maximumSubscriptions, 'subscriptions')
    : new SubscriptionLimitError(bounds.maximumSubscriptionCharacters, 'characters in subscriptions');
}

/** Gives what was subscribed to, in the same order in all processes: the oldest come first. */
export function orderByPosition(subscriptions: ReadonlyMap<string, ClusterPosition>): readonly string[] {
  return [...subscriptions]
    .toSorted(([one, { number }], [other, { number: later }]) => number - later || (one < other ? -1 : 1))
    .map(([uri]) => uri);
}
