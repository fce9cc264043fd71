import type { LogLevel } from '../../../core/protocol/log-level.js';
import { Topic } from '../../relay/topic.js';

/** What becomes of a session in one process, and holds in all. */
export interface SessionChange {
  readonly key: string;
  /** Resources that the client wants to hear of. */
  readonly subscribed?: readonly string[];
  /** Resources that the client wants to hear no more of. */
  readonly unsubscribed?: readonly string[];
  readonly level?: LogLevel;
  /** Whose it is from now on. */
  readonly owner?: string;
  /** It has ended: when its id expires, in milliseconds of the epoch. */
  readonly ended?: number;
}

export const SESSION_CHANGE = new Topic<SessionChange>('session.change');
