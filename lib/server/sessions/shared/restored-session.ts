import { FIRST_LOG_LEVEL } from '../../../core/protocol/log-level.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import { formatPosition } from '../../cluster/position.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type {
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
} from '../../settings/cluster/cluster.interface.js';
import type { Session } from '../session.js';
import type { SessionChange } from './session-change.js';
import {
  buildRecordKey,
  buildSubscriptionField,
  buildVersionField,
  readSubscriptionField,
  SessionField,
} from './session-record.js';
import type { SettingVersions } from './setting-versions.js';

/** A session's state, to be republished and rewritten. */
export interface Restored {
  readonly published: SessionChange;
  readonly change: ClusterRecordChange;
}

/** Builds the state of a session as known to this process. Returns `undefined` if there is none. */
export function buildRestored(session: Session): Restored | undefined {
  const { subscriptions, logLevel, shared, key, expires, isEnded } = session;
  if (shared === undefined || isEnded) return undefined;
  const subscribed = [...subscriptions];
  const { owner, versions } = shared;
  // A process that does not know a level must not delete it for others.
  const isKnown = versions.find(SessionField.level) > 0 || logLevel !== FIRST_LOG_LEVEL;
  const level = isKnown ? logLevel : undefined;
  const ended = versions.ended;
  if (subscribed.length + ended.length === 0 && owner === undefined && level === undefined) return undefined;
  const since = subscribed.map((uri) => [uri, session.findSubscribed(uri)] as const);
  const fields = [
    ...(level === undefined ? [] : [SessionField.level]),
    ...subscribed.map(buildSubscriptionField),
  ];
  const set = {
    ...(level !== undefined && { [SessionField.level]: level }),
    ...(owner !== undefined && { [SessionField.owner]: owner }),
    ...Object.fromEntries(since.flatMap(([uri, position]) => formatBeginning(uri, position))),
    ...formatVersions(fields, versions),
    ...(ended.length > 0 && {
      [SessionField.unsubscribed]: `${Math.max(...ended.map((one) => versions.find(one)))}`,
    }),
  };
  const unknown = since.flatMap(([uri, position]) => (position === undefined ? [uri] : []));
  return {
    published: {
      key,
      subscribed,
      since: Object.fromEntries(
        since.flatMap(([uri, position]) => (position === undefined ? [] : [[uri, formatPosition(position)]])),
      ),
      ...(ended.length > 0 && { unsubscribed: ended.map(readSubscriptionField) }),
      ...(level && { level }),
      ...(owner && { owner }),
      versions: listVersions([...fields, ...ended], versions),
    },
    change: {
      key: buildRecordKey(key),
      set,
      stamp: unknown.map(buildSubscriptionField),
      unset: ended.flatMap((field) => [field, buildVersionField(field)]),
      expires,
      owner: buildRecordOwner(session),
    },
  };
}

/** Increments the version of a setting. Returns it both for publication and for the record. */
export function raiseVersion(
  { shared }: Pick<Session, 'shared'>,
  field: string,
  bus: Pick<ClusterBus, 'now' | 'member'>,
) {
  const version = shared?.versions.raise(field, bus.now, bus.member) ?? 0;
  const set: ClusterRecord = { [buildVersionField(field)]: `${version}` };
  return { version: `${version}`, versions: { [field]: version }, set };
}

/** Returns the field that contains a subscription's start, if known. */
function formatBeginning(
  uri: string,
  since: ClusterPosition | undefined,
): readonly (readonly [field: string, value: string])[] {
  return since === undefined ? [] : [[buildSubscriptionField(uri), formatPosition(since)]];
}

/** A setting without a version may be older than any other. */
function listVersions(
  fields: readonly string[],
  versions: SettingVersions,
): Readonly<Record<string, number>> {
  return Object.fromEntries(fields.map((field) => [field, versions.find(field)]));
}

function formatVersions(fields: readonly string[], versions: SettingVersions): ClusterRecord {
  const known = fields.filter((field) => versions.find(field) > 0);
  return Object.fromEntries(known.map((field) => [buildVersionField(field), `${versions.find(field)}`]));
}
