import type { AuthError } from '../../../../core/oauth/auth.error.js';
import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import type { OutboundResponse } from '../../../../core/protocol/outbound-message.js';
import type { Batch, RequestDispatcher } from '../../../dispatch/request-dispatcher.js';
import type { Arrival, Call } from '../../../dispatch/step.js';
import type { PostReply } from '../replies/post-reply.interface.js';
import { noteRefusal } from '../send-refusal.js';
import { describeRequest } from '../trace-exchange.js';
import { answerBatch, type BatchResponse } from './batch.js';

/** The sender of requests, and their counter. */
type Sender = Pick<Arrival, 'peer' | 'inFlight'>;

/** Returns the answer of a request, or `undefined` if it was cancelled. */
export function answerRequest(
  dispatcher: RequestDispatcher,
  request: JsonRpcRequest,
  reply: PostReply,
  { peer, inFlight }: Sender,
): Promise<OutboundResponse | undefined> {
  const { authentication, memory, bodyBytes: bytes } = reply.http;
  const arrival: Arrival = { peer, channel: reply, inFlight, authentication, memory, bytes };
  return runInSpan(reply, request, () => dispatcher.dispatch(request, arrival));
}

/** Judges the requests of a batch, before any of it is answered. */
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
 * Returns the answers of a batch as one, or `undefined` if all were cancelled.
 *
 * @param refusal why none of it may run
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

/** Runs in the span of the HTTP request, if that is recorded. */
function runInSpan<Result>({ http }: PostReply, request: JsonRpcRequest, act: () => Result): Result {
  const span = http.authState?.span;
  if (span === undefined) return act();
  describeRequest(span, request);
  return span.run(act);
}
