import {
  isObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
} from '../../../../core/protocol/json-rpc.js';
import type { RequestSpan } from '../../../telemetry/request-tracing.js';
import { carriesClaim, type PerRequestClaim } from '../../../../core/protocol/headers/per-request-claim.js';
import type { Peer } from '../../../context/peer.interface.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { AuthError } from '../../../../core/oauth/auth.error.js';
import {
  ChallengingResponse,
  OutboundError,
  type OutboundMessage,
  type OutboundResponse,
} from '../../../../core/protocol/outbound-message.js';
import type { Batch, RequestDispatcher } from '../../../dispatch/request-dispatcher.js';
import type { IncomingRequest, Call } from '../../../dispatch/step.js';
import type { PostReply } from '../replies/post-reply.js';
import { noteRefusal } from '../http-exchange.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { type InboundMessage, parseMessage } from '../../../../core/protocol/parse-message.js';
import { estimateText } from '../../../../core/protocol/measured-json.js';
import type { MemoryReservation } from '../../../memory/memory-budget.js';
import type { Refusal } from '../../../telemetry/refusal.js';
import { MemoryLimitError } from '../../../memory/memory-limits.js';

/** Describes the request on a span, and links the span that its `_meta` names. */
export function describeRequest(span: RequestSpan, request: JsonRpcRequest): void {
  span.describe(request);
  const meta = request.params?.['_meta'];
  const traceparent = isObject(meta) ? meta['traceparent'] : undefined;
  if (typeof traceparent === 'string') span.link(traceparent);
}

/** Builds the peer of a self-contained request. */
export function buildClaimedPeer(
  claim: PerRequestClaim,
  { capabilities }: Pick<ServerSettings, 'capabilities'>,
  sender: Pick<Peer, 'identity' | 'headers'>,
): Peer {
  const logLevel = capabilities.logging === false ? undefined : claim.logLevel;
  return { revision: claim.revision, client: claim, logLevel, ...sender };
}

/** Who sent the requests, and what tracks them. */
type Sender = Pick<IncomingRequest, 'peer' | 'inFlight'>;

/** Dispatches a request. Returns its response, or `undefined` if it was cancelled. */
export function answerRequest(
  dispatcher: RequestDispatcher,
  request: JsonRpcRequest,
  reply: PostReply,
  { peer, inFlight }: Sender,
): Promise<OutboundResponse | undefined> {
  const { authentication, memory, bodyBytes: bytes } = reply.http;
  const arrival: IncomingRequest = { peer, channel: reply, inFlight, authentication, memory, bytes };
  return runInSpan(reply, request, () => dispatcher.dispatch(request, arrival));
}

/** Checks a batch's requests before any of them runs. */
export function judgeRequests(
  dispatcher: RequestDispatcher,
  requests: readonly JsonRpcRequest[],
  reply: PostReply,
  { peer, inFlight }: Sender,
): Promise<Batch> {
  const { authentication, memory } = reply.http;
  return dispatcher.authorize(requests, { peer, channel: reply, inFlight, authentication, memory });
}

/**
 * Runs a batch's requests. Returns their responses, or `undefined` if all were cancelled.
 *
 * @param refusal why none of them may run
 */
export function answerRequests(
  dispatcher: RequestDispatcher,
  { calls }: Batch,
  reply: PostReply,
  refusal: AuthError | undefined,
): Promise<BatchResponse | undefined> {
  for (const call of calls) call.refusal = refusal;
  return answerBatch(calls, {
    answer: (call: Call) => runInSpan(reply, call.request, () => dispatcher.respond(call)),
    onRefused: (refused) => void noteRefusal(reply.http, { ...refused, requestBytes: undefined }),
    memory: reply.http.memory,
  });
}

/** Runs a function in the HTTP request's span, if it is recorded. */
function runInSpan<Result>({ http }: PostReply, request: JsonRpcRequest, act: () => Result): Result {
  const span = http.authState?.span;
  if (span === undefined) return act();
  describeRequest(span, request);
  return span.run(act);
}

/**
 * Parses a JSON-RPC batch's messages.
 *
 * @throws {McpError} -32600 if the batch as a whole is rejected
 * @see MCP 2025-03-26 basic, "Batching"
 */
export function parseBatch(values: readonly unknown[], maximum: number): readonly InboundMessage[] {
  if (values.length === 0) throw McpError.invalidRequest('a batch must not be empty');
  if (values.length > maximum) {
    throw McpError.invalidRequest(`a batch must not have more than ${maximum} messages`);
  }
  const messages = values.map(parseMessage);
  for (const inbound of messages) if (inbound.kind !== 'response') assertBatchable(inbound.message);
  return messages;
}

function assertBatchable(message: JsonRpcRequest | JsonRpcNotification): void {
  if (message.method === 'initialize') {
    throw McpError.invalidRequest('"initialize" must not be part of a batch');
  }
  if (carriesClaim(message)) {
    throw McpError.invalidRequest('a message names a revision that does not support batches');
  }
}

/** A batch's responses as one message. */
export class BatchResponse implements OutboundMessage {
  readonly httpStatus: number;
  /** The first challenge among the responses, which turns the whole response into a refusal. */
  readonly wwwAuthenticate: string | undefined;
  #json: string | undefined;

  constructor(private readonly responses: readonly OutboundResponse[]) {
    const refused = responses.find((response) => response instanceof ChallengingResponse);
    this.httpStatus = refused?.httpStatus ?? 200;
    this.wwwAuthenticate = refused?.wwwAuthenticate;
  }

  get json(): string {
    this.#json ??= `[${this.responses.map((response) => response.json).join(',')}]`;
    return this.#json;
  }
}

/** How to run a batch's requests. */
export interface Answering<Member> {
  /** Runs one request. Returns `undefined` if it was cancelled. */
  answer(member: Member): Promise<OutboundResponse | undefined>;
  /** Called with a request that is rejected for lack of memory. */
  onRefused(refusal: Pick<Refusal, 'error' | 'message' | 'reason'>): void;
  /**
   * Counts responses that wait for others in the batch. A response that does not fit becomes an error, and requests
   * that have not started are rejected.
   */
  readonly memory: MemoryReservation | undefined;
}

/** Requests started per turn of the event loop. */
const AT_ONCE = 8;

/** Seconds until the other responses of a batch are sent. */
const SOON_SECONDS = 5;

/** Runs a batch's requests. Returns their responses, or `undefined` if all were cancelled. */
export async function answerBatch<Member extends { readonly request: JsonRpcRequest }>(
  members: readonly Member[],
  { answer, onRefused, memory }: Answering<Member>,
): Promise<BatchResponse | undefined> {
  let isFull = false;
  const keep = async (member: Member, index: number): Promise<OutboundResponse | undefined> => {
    const { request } = member;
    await waitTurns(Math.floor(index / AT_ONCE));
    if (isFull) {
      const refused = refuse(request);
      onRefused({ error: refused.error, message: request, reason: 'overloaded' });
      return refused;
    }
    const response = await answer(member);
    // Joining them doubles their memory.
    if (response === undefined || memory?.tryAdd(2 * estimateText(response.json)) !== false) return response;
    isFull = true;
    return refuse(request);
  };
  const responses = await Promise.all(members.map(keep));
  const answered = responses.filter((response) => response !== undefined);
  return answered.length === 0 ? undefined : new BatchResponse(answered);
}

function refuse({ id }: JsonRpcRequest): OutboundError {
  return new OutboundError(id, new MemoryLimitError(SOON_SECONDS).toJSON(), 200);
}

async function waitTurns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve));
}
