import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { AcceptedAnswers } from '../../../../core/protocol/headers/media-type.js';
import type { InboundMessage } from '../../../../core/protocol/parse-message.js';
import type { RequestDispatcher } from '../../../dispatch/request-dispatcher.js';
import type { StatelessRequests } from '../../../sessions/in-flight-requests.js';
import { StatelessPeer } from '../../../sessions/stateless-peer.js';
import type { EventStreams } from '../streams/event-streams.js';
import type { HttpExchange } from '../http-exchange.js';
import { DetachedReply } from '../replies/detached-reply.js';
import { answerRequest, answerRequests, judgeRequests } from './answer-requests.js';
import type { HandshakeMessages } from './handshake-messages.interface.js';

/**
 * Takes the messages of handshake revisions without keeping anything of them: each is served as if its client had shaken
 * hands, by whichever process it reaches.
 *
 * @see MCP 2025-11-25 basic/transports, "Session Management"
 */
export class StatelessMessages implements HandshakeMessages {
  constructor(
    private readonly dispatcher: RequestDispatcher,
    private readonly detached: StatelessRequests,
    private readonly streams: EventStreams,
  ) {}

  /** A message cannot belong to a session here. */
  notice(): undefined {
    return undefined;
  }

  /** Nothing is known of anybody. */
  prepare(): undefined {
    return undefined;
  }

  answer(exchange: HttpExchange, request: JsonRpcRequest, accepted: AcceptedAnswers): Promise<void> {
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const sender = { peer: createPeer(exchange), inFlight: this.detached };
    return answerRequest(this.dispatcher, request, reply, sender).then((response) => reply.end(response));
  }

  async answerBatch(
    exchange: HttpExchange,
    messages: readonly InboundMessage[],
    accepted: AcceptedAnswers,
  ): Promise<void> {
    const peer = createPeer(exchange);
    if (!peer.revision.batching) throw McpError.noBatches(peer.revision.version);
    const requests = messages.flatMap((inbound) => (inbound.kind === 'request' ? [inbound.message] : []));
    if (requests.length === 0) return exchange.sendEmpty(202);
    const reply = new DetachedReply(exchange, this.streams, accepted);
    const batch = await judgeRequests(this.dispatcher, requests, reply, { peer, inFlight: this.detached });
    reply.end(await answerRequests(this.dispatcher, batch, reply, batch.refusal));
  }

  /** There is nothing that a notification or a response could belong to. */
  take(): void {}
}

function createPeer({ headers, authentication }: HttpExchange): StatelessPeer {
  const version = headers['mcp-protocol-version'];
  return new StatelessPeer(typeof version === 'string' ? version : undefined, authentication);
}
