import type { HttpView } from '../../context/mcp-context.interface.js';
import type { ReplyChannel } from '../../context/peer.interface.js';
import { OutboundNotification, type OutboundMessage } from '../../protocol/outbound-message.js';
import type { Session } from '../../sessions/session.js';

/** Writes a message to whoever is at the other end of a pipe. */
export type WriteMessage = (message: OutboundMessage) => void;

/** Sends what belongs to a request over the one pipe that carries everything. */
export class PipeReply implements ReplyChannel {
  readonly takesMessages = true;

  constructor(
    private readonly write: WriteMessage,
    private readonly session: Session | undefined,
    readonly http?: HttpView | undefined,
  ) {}

  send(message: OutboundMessage): void {
    const isEarly = message instanceof OutboundNotification && this.session?.accepts(message) === false;
    if (!isEarly) this.write(message);
  }
}
