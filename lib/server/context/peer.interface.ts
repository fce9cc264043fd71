import type { LogLevel } from '../../core/protocol/log-level.js';
import type { OutboundMessage } from '../../core/protocol/outbound-message.js';
import type { RequestHeaders } from '../../core/protocol/headers/per-request-claim.js';
import type { Revision } from '../../core/protocol/revisions.js';
import type { AuthView } from './auth-view.interface.js';
import type { ClientView, HttpView, SessionView } from './mcp-context.interface.js';

/** The client of a session or of one stateless request: the facts that all requests share. */
export interface Peer {
  readonly revision: Revision;
  readonly client: ClientView;
  /** The caller, if known. One caller's values are never shown to another. */
  readonly identity?: string | undefined;
  /** The lowest log level that the peer requested; absent if it requested no log entries. */
  readonly logLevel?: LogLevel | undefined;
  /** The headers that repeat parts of the request, if the transport has validated them; absent elsewhere. */
  readonly headers?: RequestHeaders | undefined;
  /** The peer's session. */
  readonly session?: SessionView | undefined;
}

/** A cancellable operation. */
export interface Cancellable {
  cancel(reason: string): void;
}

/** Carries the messages of one request before its response. The transport implements it. */
export interface ReplyChannel {
  /** Whether messages can reach the client before the response. */
  readonly takesMessages: boolean;
  /** Determines whether messages can reach the client through another process. @default they do not */
  findReader?(): Promise<boolean>;
  /** The number of sent bytes that the client has not read yet; infinite without a reader. @default 0, if unknown */
  readonly unread?: number;
  /**
   * Restricts the response to callers with the same access. A client that reconnects to get it needs the same scopes.
   */
  restrictTo?(auth: AuthView): void;
  /** Called when the request starts to run, so that the channel can cancel it when the client disconnects. */
  begin?(request: Cancellable): void;
  /** Closes the client's connection. The client reconnects for the rest after the given milliseconds. */
  release?(retryMs: number | undefined): void;
  /** Sends a message that belongs to the request. */
  send(message: OutboundMessage): void;
  readonly http?: HttpView | undefined;
  /** Whether the transport is standard input and output. @default false */
  readonly isPipe?: boolean | undefined;
}
