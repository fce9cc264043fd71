import type { JsonRpcErrorObject } from '../../../../core/protocol/json-rpc.js';
import type { OutboundMessage } from '../../../../core/protocol/outbound-message.js';

/** A message that answers a request, and what the headers of the answer say. */
export interface AnswerMessage extends OutboundMessage {
  readonly wwwAuthenticate?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The error that it answers with, if it does. */
  readonly error?: JsonRpcErrorObject;
}
