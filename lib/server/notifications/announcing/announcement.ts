import type { LogLevel } from '../../../core/protocol/log-level.js';
import { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import type { CallerTerms } from '../../sessions/callers/caller-filter.js';
import { Topic } from '../../relay/topic.js';
import { isAnnouncement } from './is-announcement.js';
import type { Area } from '../list-changed.js';

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

/** Returns the notification of an announcement, which is serialised once for all streams of the process. */
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
