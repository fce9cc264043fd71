import { OutboundNotification, type OutboundMessage } from '../../../core/protocol/outbound-message.js';
import type { HttpView } from '../../context/mcp-context.interface.js';
import type { ReplyChannel } from '../../context/peer.interface.js';
import type { Session } from '../../sessions/session.js';

/** Writes a message to the other end of a pipe. */
export type WriteMessage = (message: OutboundMessage) => void;

/** Counts the bytes that wait for the other end. */
export type CountUnread = () => number;

/** What a reply goes over, and what it answers. */
export interface DuplexReplyParts {
  readonly write: WriteMessage;
  readonly countUnread: CountUnread;
  readonly session: Session | undefined;
  readonly http?: HttpView | undefined;
  readonly isPipe?: boolean | undefined;
}

/** Sends what belongs to a request over the one pipe that carries everything. */
export class DuplexReply implements ReplyChannel {
  readonly takesMessages = true;

  readonly http: HttpView | undefined;
  readonly isPipe: boolean | undefined;

  constructor(private readonly parts: DuplexReplyParts) {
    this.http = parts.http;
    this.isPipe = parts.isPipe;
  }

  get unread(): number {
    return this.parts.countUnread();
  }

  send(message: OutboundMessage): void {
    const { session, write } = this.parts;
    const isEarly = message instanceof OutboundNotification && session?.accepts(message) === false;
    if (!isEarly) write(message);
  }
}
