import { isLogLevel, type LogLevel } from '../../../core/protocol/log-level.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import { parsePosition } from '../../cluster/position.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type {
  ClusterPosition,
  ClusterRecord,
  ClusterRecordChange,
} from '../../settings/cluster/cluster.interface.js';
import type { SharedPart } from './shared-part.js';

/** A session record's field names. */
export const SessionField = {
  ended: 'ended',
  /** The caller that an anonymous session was bound to. */
  owner: 'owner',
  level: 'level',
  /** The version of the latest end of a subscription. */
  unsubscribed: 'unsubscribed',
  /** The time of the last use, in milliseconds since the epoch (shared clock). */
  used: 'used',
  /** The standalone SSE stream's reader, and its start position. */
  standing: 'standing',
  /** List digests that the client knows, for servers that run several releases. */
  lists: 'lists',
} as const;

const SUBSCRIPTION = 'uri ';

/** The prefix of fields that contain another field's version. */
const VERSION = 'version ';

/** The delay after which processes learn about a session's use, as a fraction of its idle time. */
const LATENESS = 4;

/** A session's shared record. */
export interface SessionRecord {
  readonly isEnded: boolean;
  readonly owner: string | undefined;
  readonly level: LogLevel | undefined;
  readonly used: number | undefined;
  readonly standing: string | undefined;
  /** The log position at the start of each subscription. */
  readonly subscriptions: ReadonlyMap<string, ClusterPosition>;
  /** Versions of the log level and of subscriptions, keyed by field. */
  readonly versions: ReadonlyMap<string, number>;
  /** The version of the latest end of a subscription; 0 if none is known. */
  readonly unsubscribed: number;
}

export function buildRecordKey(key: string): string {
  return `session:${key}`;
}

/**
 * Returns the change that deletes everything about a session except its end, which remains until the id would have
 * expired.
 */
export function buildEndedRecord(session: EndedSession): ClusterRecordChange {
  const { key, expires } = session;
  const owner = buildRecordOwner(session);
  return { key: buildRecordKey(key), isWhole: true, set: { [SessionField.ended]: '1' }, expires, owner };
}

/** A session that has ended. */
interface EndedSession {
  readonly key: string;
  readonly expires: number;
  readonly identity?: string | undefined;
  readonly address?: string | undefined;
}

/** Builds the name of the field that contains a subscription's start. */
export function buildSubscriptionField(uri: string): string {
  return `${SUBSCRIPTION}${uri}`;
}

/** Reads the resource from such a field name. */
export function readSubscriptionField(field: string): string {
  return field.slice(SUBSCRIPTION.length);
}

/** Builds the name of the field that contains another field's version. */
export function buildVersionField(field: string): string {
  return `${VERSION}${field}`;
}

/**
 * Whether a session has been idle for too long. Its use is stored only occasionally, so the serving process knows more
 * than the record.
 */
export function isIdle({ used }: SessionRecord, now: number, idleTimeoutMs: number): boolean {
  return used !== undefined && now - used > idleTimeoutMs * (1 + 1 / LATENESS);
}

/**
 * Returns a session's latest use to write to its record, or `undefined` if the record already has it. The time comes
 * from the shared clock, so that a session does not seem idle to a process with a wrong clock.
 */
export function noteUse(session: UsedSession, bus: Pick<ClusterBus, 'now'>): ClusterRecordChange | undefined {
  const { key, expires, shared, isBusy, lastActive } = session;
  if (shared === undefined) return undefined;
  const { recordedAt } = shared;
  if (!isBusy && recordedAt !== undefined && lastActive <= recordedAt) return undefined;
  const now = performance.now();
  shared.recordedAt = now;
  const used = Math.round(bus.now - (isBusy ? 0 : now - lastActive));
  const owner = buildRecordOwner(session);
  return { key: buildRecordKey(key), set: { [SessionField.used]: `${used}` }, expires, owner };
}

/** The use of a session. */
interface UsedSession extends EndedSession {
  readonly shared: SharedPart | undefined;
  readonly isBusy: boolean;
  readonly lastActive: number;
}

export function parseSessionRecord(record: ClusterRecord): SessionRecord {
  const subscriptions = new Map<string, ClusterPosition>();
  const versions = new Map<string, number>();
  for (const [field, text] of Object.entries(record)) {
    if (field.startsWith(VERSION)) versions.set(field.slice(VERSION.length), parseVersion(text));
    const position = field.startsWith(SUBSCRIPTION) ? parsePosition(text) : undefined;
    if (position !== undefined) subscriptions.set(readSubscriptionField(field), position);
  }
  const level = record[SessionField.level];
  const used = Number(record[SessionField.used] ?? Number.NaN);
  return {
    isEnded: record[SessionField.ended] !== undefined,
    owner: record[SessionField.owner],
    level: isLogLevel(level) ? level : undefined,
    used: Number.isFinite(used) ? used : undefined,
    standing: record[SessionField.standing],
    subscriptions,
    versions,
    unsubscribed: parseVersion(record[SessionField.unsubscribed]),
  };
}

function parseVersion(text = ''): number {
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
}
