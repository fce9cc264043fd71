import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import type { AcceptedAnswers } from '../../../../core/protocol/headers/media-type.js';
import type { InboundMessage } from '../../../../core/protocol/parse-message.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import type { HttpExchange } from '../http-exchange.js';

/** A message that is not answered. */
export type UnansweredMessage = Exclude<InboundMessage, { readonly kind: 'request' }>;

/** Takes the messages of handshake revisions, as a server does that keeps sessions, or one that keeps nothing. */
export interface HandshakeMessages {
  /** Hears of a message before anything is kept of it; gives what the session takes that it is for, if there is one. */
  notice(exchange: HttpExchange): MemoryHold | undefined;
  /** Finds out what must be known of the session that messages are for; nothing if there is nothing to wait for. */
  prepare(exchange: HttpExchange): Promise<void> | undefined;
  /** Answers a request. */
  answer(exchange: HttpExchange, request: JsonRpcRequest, accepted: AcceptedAnswers): Promise<void>;
  /** Answers a batch. */
  answerBatch(
    exchange: HttpExchange,
    messages: readonly InboundMessage[],
    accepted: AcceptedAnswers,
  ): Promise<void>;
  /** Takes a message that is not answered. */
  take(exchange: HttpExchange, inbound: UnansweredMessage): void | Promise<void>;
}
