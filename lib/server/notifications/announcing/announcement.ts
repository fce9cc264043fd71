import { isObject } from '../../../core/protocol/json-rpc.js';
import { isLogLevel, type LogLevel } from '../../../core/protocol/log-level.js';
import { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import { Topic } from '../../cluster/cluster-bus.js';
import type { CallerTerms } from '../../sessions/callers/caller-filter.js';
import { LIST_CHANGED, type Area } from '../list-changed.js';

const NAMES = ['uri', 'extension', 'session', 'defined'];
const CALLER_NAMES = ['subject', 'issuer', 'clientId'];

/** Tells whether what another process published is an announcement that this release understands. */
function isAnnouncement({
  to,
  notification,
}: {
  readonly to?: unknown;
  readonly notification?: unknown;
}): boolean {
  if (!isObject(to) || !isObject(notification)) return false;
  const { method, params } = notification;
  return typeof method === 'string' && isOptional(params, isObject) && isAudience(to);
}

function isAudience(to: { readonly [name: string]: unknown }): boolean {
  const { area, level, only, scopes } = to;
  return (
    Object.keys(to).length > 0 &&
    NAMES.every((name) => isOptional(to[name], isText)) &&
    isOptional(area, (value) => isText(value) && Object.hasOwn(LIST_CHANGED, value)) &&
    isOptional(level, isLogLevel) &&
    isOptional(scopes, isTexts) &&
    isOptional(only, isRecipients)
  );
}

function isRecipients(only: unknown): boolean {
  return isObject(only) && isOptional(only['session'], isText) && isOptional(only['caller'], isCaller);
}

function isCaller(caller: unknown): boolean {
  if (!isObject(caller)) return false;
  return (
    isOptional(caller['identities'], isTexts) &&
    CALLER_NAMES.every((name) => isOptional(caller[name], isText))
  );
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** Who is told something that belongs to no request. */
export type Audience =
  /** Clients to which changes of an area's list were declared. */
  | ({ readonly area: Area } & Restriction)
  /** Subscribers of a resource. */
  | ({ readonly uri: string } & Restriction)
  /** Clients that want log entries of a level. */
  | ({ readonly level: LogLevel } & Restriction)
  /** Clients that declared an extension, or one session of them, by its name between processes. */
  | { readonly extension: string; readonly session?: string }
  /** The session that processes call so. */
  | SessionAudience;

/** Who of an audience is told. */
export interface Recipients {
  /** The session that processes call so. @default any */
  readonly session?: string;
  /** Clients of a caller. @default anybody */
  readonly caller?: CallerTerms;
}

interface Restriction {
  /** @default all of them */
  readonly only?: Recipients;
}

/** One session. */
export interface SessionAudience {
  readonly session: string;
  /** What its revision must define. @default nothing */
  readonly defined?: 'elicitationId';
  /** The scopes that the reader's token must have. @default nothing */
  readonly scopes?: readonly string[];
}

/** Something that clients are told without having asked. */
export interface Announcement {
  readonly to: Audience;
  readonly notification: Pick<OutboundNotification, 'method' | 'params'>;
}

/** Everything that is told to clients and belongs to no request, whichever process has their streams. */
export const ANNOUNCEMENT = new Topic<Announcement>('announcement', isAnnouncement);

const notifications = new WeakMap<Announcement, OutboundNotification>();

/** Returns the notification of an announcement, which is serialized once for all streams of the process. */
export function readNotification(announcement: Announcement): OutboundNotification {
  const { notification } = announcement;
  // Nothing has been on its way from another process.
  if (notification instanceof OutboundNotification) return notification;
  const known = notifications.get(announcement);
  if (known !== undefined) return known;
  const read = new OutboundNotification(notification.method, notification.params);
  notifications.set(announcement, read);
  return read;
}
