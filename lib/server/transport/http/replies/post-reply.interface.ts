import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';
import type { ReplyChannel } from '../../../context/peer.interface.js';
import type { HttpExchange } from '../http-exchange.js';

/** What a POST is answered with in the end. */
export interface PostResponse extends OutboundMessage {
  readonly httpStatus: number;
  /** Asks for a token, or for one that allows more; a stream that has begun cannot. */
  readonly wwwAuthenticate?: string | undefined;
}

/**
 * The answer to a POST: one JSON object, or an event stream from the moment something must be sent before the response, or that
 * is long in coming.
 *
 * @see MCP basic/transports, "Sending Messages to the Server"
 */
export interface PostReply extends ReplyChannel {
  readonly http: HttpExchange;
  /** Ends the answer with the response; without one the request was cancelled. */
  end(response: PostResponse | undefined): void;
}
