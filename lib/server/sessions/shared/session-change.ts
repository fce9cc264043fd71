import type { LogLevel } from '../../../core/protocol/log-level.js';
import { Topic } from '../../cluster/cluster-bus.js';

/** What becomes of a session in one process, and holds in all. */
export interface SessionChange {
  readonly key: string;
  /** Resources to which the client has subscribed. */
  readonly subscribed?: readonly string[];
  /** The places of subscriptions that are told again, by their resources. @default the place of the change */
  readonly since?: Readonly<Record<string, string>>;
  /** Resources from which the client has unsubscribed. */
  readonly unsubscribed?: readonly string[];
  readonly level?: LogLevel;
  /** The versions of what has changed, by the fields of the record. @default what is not known to be older than anything */
  readonly versions?: Readonly<Record<string, number>>;
  /** The new owner. */
  readonly owner?: string;
  /** What its client knows of the lists of several releases, as the record has it. */
  readonly lists?: string;
  /** It has ended: when its id expires, in milliseconds of the epoch. */
  readonly ended?: number;
}

export const SESSION_CHANGE = new Topic<SessionChange>('session.change');

/** What a process knows of sessions, told once more since it is lost elsewhere. */
export interface SessionsRestored {
  readonly sessions: readonly SessionChange[];
}

export const SESSIONS_RESTORED = new Topic<SessionsRestored>(
  'sessions.restored',
  ({ sessions }: Partial<SessionsRestored>) => Array.isArray(sessions),
);

/** Sessions whose changes are announced together, by their keys. */
export interface SessionsChanged {
  /** Those whose records are to be read. @default none */
  readonly records?: readonly string[];
  /** Those whose clients have other roots. @default none */
  readonly roots?: readonly string[];
}

export const SESSIONS_CHANGED = new Topic<SessionsChanged>(
  'sessions.changed',
  ({ records = [], roots = [] }: SessionsChanged) => Array.isArray(records) && Array.isArray(roots),
);
