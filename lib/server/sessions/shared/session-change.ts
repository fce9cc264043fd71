import type { LogLevel } from '../../../core/protocol/log-level.js';
import { Topic } from '../../cluster/cluster-bus.js';

/** A session change in one process that applies in all. */
export interface SessionChange {
  readonly key: string;
  /** Resources to which the client has subscribed. */
  readonly subscribed?: readonly string[];
  /** Start positions of repeated subscriptions, keyed by resource. @default the change's position */
  readonly since?: Readonly<Record<string, string>>;
  /** Resources from which the client has unsubscribed. */
  readonly unsubscribed?: readonly string[];
  readonly level?: LogLevel;
  /** Versions of the changed settings, keyed by record field. @default treated as current */
  readonly versions?: Readonly<Record<string, number>>;
  /** The new owner. */
  readonly owner?: string;
  /** List digests that the client knows, in the record's format. */
  readonly lists?: string;
  /** The id's expiry, in milliseconds since the epoch. Present if the session has ended. */
  readonly ended?: number;
}

export const SESSION_CHANGE = new Topic<SessionChange>('session.change');

/** Session states that a process republishes after the shared records were lost. */
export interface SessionsRestored {
  readonly sessions: readonly SessionChange[];
}

export const SESSIONS_RESTORED = new Topic<SessionsRestored>(
  'sessions.restored',
  ({ sessions }: Partial<SessionsRestored>) => Array.isArray(sessions),
);

/** Batched changes: the affected sessions' keys. */
export interface SessionsChanged {
  /** Sessions to reread from their records. @default none */
  readonly records?: readonly string[];
  /** Sessions whose roots have changed. @default none */
  readonly roots?: readonly string[];
}

export const SESSIONS_CHANGED = new Topic<SessionsChanged>(
  'sessions.changed',
  ({ records = [], roots = [] }: SessionsChanged) => Array.isArray(records) && Array.isArray(roots),
);
