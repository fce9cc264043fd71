import { FIRST_LOG_LEVEL } from '../../../core/protocol/log-level.js';
import type { ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import type { Session } from '../session.js';
import type { SessionChange } from './session-change.js';
import { buildRecordKey, buildSubscriptionField, SessionField } from './session-record.js';

/** Gives what has to be told, and written down, of a session whose record is lost; nothing if there was nothing in it. */
export function buildRestoration(
  session: Session,
): readonly [change: SessionChange, record: ClusterRecordChange] | undefined {
  const { subscriptions, logLevel: level, shared, key, expires } = session;
  if (shared === undefined) return undefined;
  const subscribed = [...subscriptions];
  const { owner } = shared;
  const isKnown =
    subscribed.length > 0 || owner !== undefined || (level ?? FIRST_LOG_LEVEL) !== FIRST_LOG_LEVEL;
  if (!isKnown) return undefined;
  const set = {
    ...(level !== undefined && { [SessionField.level]: level }),
    ...(owner !== undefined && { [SessionField.owner]: owner }),
  };
  return [
    { key, subscribed, ...(level && { level }), ...(owner && { owner }) },
    { key: buildRecordKey(key), set, stamp: subscribed.map(buildSubscriptionField), expires },
  ];
}
