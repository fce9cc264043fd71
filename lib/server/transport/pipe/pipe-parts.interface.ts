import type { Dispatcher } from '../../dispatch/dispatcher.js';
import type { ListenerRegistry } from '../../notifications/listener-registry.js';
import type { DetachedRequests } from '../../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { CountUnread, WriteMessage } from './pipe-reply.js';

/** What connections need of their server. */
export interface PipeServer {
  readonly dispatcher: Dispatcher;
  readonly listeners: ListenerRegistry;
  readonly sessions: SessionRegistry;
  readonly settings: ServerSettings;
  /** Where the requests of all connections that are of no session are known. */
  readonly detached: DetachedRequests;
}

/** The client's end of a pipe. */
export interface PipeEnd {
  readonly write: WriteMessage;
  /** Counts what waits for the client. @default nothing does */
  readonly countUnread?: CountUnread | undefined;
  /** Hears that the client does more than to shake hands and to ping. */
  readonly onUse?: (() => void) | undefined;
}
