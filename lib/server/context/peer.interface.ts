import type { LogLevel } from '../../core/protocol/log-level.js';
import type { OutboundMessage } from '../../core/protocol/outbound-message.js';
import type { HeaderBag } from '../../core/protocol/headers/per-request-claim.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { AuthView } from './auth-view.interface.js';
import type { ClientView, HttpView, SessionView } from './mcp-context.interface.js';

/** The peer: the facts that stay the same for all requests of a session, or for one request of the stateless wire. */
export interface Peer {
  readonly revision: Revision;
  readonly client: ClientView;
  /** The caller, as far as it is known. Values of one caller are never given to another. */
  readonly identity?: string | undefined;
  /** The lowest level of log entries the peer wants; absent if it wants none. */
  readonly logLevel?: LogLevel | undefined;
  /** The headers that repeat what a request says, if the transport has checked them against it; absent elsewhere. */
  readonly headers?: HeaderBag | undefined;
  /** The session that the peer speaks in. */
  readonly session?: SessionView | undefined;
}

/** Something that runs and can be cancelled. */
export interface Cancellable {
  cancel(reason: string): void;
}

/** Where messages that belong to one request go before its response; the transport decides how. */
export interface ReplyChannel {
  /** Whether messages reach the client before the response. */
  readonly takesMessages: boolean;
  /** Finds out whether messages reach the client by another process. @default they do not */
  findReader?(): Promise<boolean>;
  /** Bytes that were sent and wait for the client to read them; infinite if nobody reads. @default 0, if it is not known */
  readonly unread?: number;
  /** Is told the access of a request that is answered here. A client that comes back for its answer needs the same scopes. */
  restrictTo?(auth: AuthView): void;
  /** Is told that the request runs, so that it can cancel the request when the client is gone. */
  begin?(request: Cancellable): void;
  /** Lets the client's connection go; it comes back for the rest after so many milliseconds. */
  release?(retryMs: number | undefined): void;
  /** Sends a message that belongs to the request. */
  send(message: OutboundMessage): void;
  readonly http?: HttpView | undefined;
  /** Whether messages go over standard input and output. @default false */
  readonly isPipe?: boolean | undefined;
}
