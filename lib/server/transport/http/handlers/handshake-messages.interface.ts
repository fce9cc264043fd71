import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import type { AcceptedAnswers } from '../../../../core/protocol/headers/media-type.js';
import type { InboundMessage } from '../../../../core/protocol/parse-message.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import type { HttpExchange } from '../http-exchange.js';

/** A message that is not answered. */
export type UnansweredMessage = Exclude<InboundMessage, { readonly kind: 'request' }>;

/** Takes the messages of handshake revisions, as a server does that keeps sessions, or one that keeps nothing. */
export interface HandshakeMessages {
  /** Is called with a message before any of it is kept. Returns the memory that its session holds for it, if there is a session. */
  notice(exchange: HttpExchange): MemoryHold | undefined;
  /** Fetches the facts about the session of the messages. Returns `undefined` if there is nothing to wait for. */
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
