import { Inject, Injectable } from '@nestjs/common';
import type { AuthError } from '../../../../core/oauth/auth.error.js';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import type { JsonRpcRequest } from '../../../../core/protocol/json-rpc.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { OutboundResponse } from '../../../../core/protocol/outbound-message.js';
import { inTime } from '../../../../core/waiting/in-time.js';
import { AccessPolicy, type Authorization } from '../../../auth/access/access-policy.js';
import { ForwardedCalls } from '../../../catalogue/search/forwarded-calls.js';
import { HiddenEntries } from '../../../catalogue/visibility/hidden-entries.js';
import { RequestContext } from '../../../context/request-context.js';
import type { Peer } from '../../../context/peer.interface.js';
import type { Verdict } from '../../../context/verdict.interface.js';
import { BatchCounts, type JudgedRequest } from '../../../dispatch/batch-counts.js';
import { Dispatcher } from '../../../dispatch/dispatcher.js';
import type { RequestTracker } from '../../../sessions/in-flight-requests.js';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { PostReply } from '../replies/post-reply.interface.js';
import { noteRefusal } from '../send-refusal.js';
import { describeRequest } from '../trace-exchange.js';
import { answerBatch, type Answering } from './answer-batch.js';
import type { BatchResponse } from './batch.js';

/** The sender of requests, their counter, and the reason why they may not run, if there is one. */
export interface Sender {
  readonly peer: Peer;
  readonly inFlight: RequestTracker;
  readonly refusal?: AuthError | undefined;
  /** Whether requests share their body with others. @default false */
  readonly isBatch?: boolean;
}

/** Passes requests to the dispatcher, with the access of their caller. */
@Injectable()
export class RequestDispatch {
  constructor(
    private readonly access: AccessPolicy,
    private readonly dispatcher: Dispatcher,
    private readonly hidden: HiddenEntries,
    private readonly counts: BatchCounts,
    @Inject(SERVER_SETTINGS) private readonly settings: Pick<ServerSettings, 'callTimeoutMs'>,
    private readonly forwarded: ForwardedCalls = new ForwardedCalls(),
  ) {}

  /** Returns the answer of a request, or `undefined` if it was cancelled. */
  dispatch(request: JsonRpcRequest, reply: PostReply, sender: Sender): Promise<OutboundResponse | undefined> {
    const { authentication, authState, memory } = reply.http;
    const { peer, inFlight, refusal: settled } = sender;
    const { auth, refusal, weigh, reconsider }: Partial<Authorization> =
      settled === undefined
        ? this.access.authorize(request, authentication, peer.revision)
        : { refusal: settled };
    if (auth !== undefined) reply.restrictTo?.(auth);
    const bytes = sender.isBatch === true ? undefined : reply.http.bodyBytes;
    const counted = sender.isBatch === true ? this.counts.find(request) : undefined;
    const arrival = { peer, inFlight, auth, refusal, weigh, reconsider, counted, memory, bytes };
    const span = authState?.span;
    if (span === undefined) return this.dispatcher.dispatch(request, reply, arrival);
    describeRequest(span, request);
    return span.run(() => this.dispatcher.dispatch(request, reply, arrival));
  }

  /** Returns the answers of a batch as one, once {@link findRefusal} was asked, or `undefined` if all were cancelled. */
  dispatchAll(
    requests: readonly JsonRpcRequest[],
    reply: PostReply,
    sender: Sender,
  ): Promise<BatchResponse | undefined> {
    const inBatch = { ...sender, isBatch: true };
    const answering: Answering = {
      answer: (request) => this.dispatch(request, reply, inBatch),
      onRefused: (refusal) => void noteRefusal(reply.http, { ...refusal, requestBytes: undefined }),
    };
    return answerBatch(requests, answering, reply.http.memory);
  }

  /** Finds why a batch may not run: nothing of it does if one of its requests may not (MCP 2025-03-26 basic, "Batching"). */
  findRefusal(
    requests: readonly JsonRpcRequest[],
    reply: PostReply,
    peer: Peer,
  ): AuthError | undefined | Promise<AuthError | undefined> {
    const { authentication } = reply.http;
    const authorization = this.access.authorizeAll(requests, authentication, peer.revision);
    const { auth, refusal, weigh, reconsider } = authorization;
    const isSettled = refusal?.code === 401 || (reconsider === undefined && weigh === undefined);
    const isAllowed = refusal === undefined && weigh === undefined && authentication !== undefined;
    if (isSettled || isAllowed) return refusal;
    const judged = requests.map((request) => ({
      request,
      context: new RequestContext(this.forwarded.open(request), { peer, channel: reply, auth }),
    }));
    const reconsidered = this.#judge(judged, (wanted) =>
      wanted.length === requests.length
        ? authorization
        : this.access.authorizeAll(wanted, authentication, peer.revision),
    );
    const { callTimeoutMs } = this.settings;
    if (callTimeoutMs === undefined) return reconsidered;
    // The refusal would tell that there is something: whether there is remains open.
    return inTime(reconsidered, callTimeoutMs, () => createLateError(callTimeoutMs));
  }

  /** A request beyond the limit is refused separately. The application is not asked about it, and the others are judged without it. */
  async #judge(
    requests: readonly JudgedRequest[],
    authorize: (requests: readonly JsonRpcRequest[]) => Authorization,
  ): Promise<AuthError | undefined> {
    const wanted = await this.counts.countRequests(requests);
    const authorization = authorize(wanted.map(({ request }) => request));
    const { refusal, weigh } = await this.#reconsider(wanted, authorization);
    if (weigh === undefined && refusal !== undefined) return refusal;
    const counted = new Set(await this.counts.countCalls(wanted));
    return weigh?.(
      wanted.map((request) => (counted.has(request) ? request.context : undefined)),
      true,
    );
  }

  /** A hidden entry must look the same as a missing one. */
  async #reconsider(requests: readonly JudgedRequest[], authorization: Authorization): Promise<Verdict> {
    const hidden = new Set<object>();
    for (const { context } of requests) {
      if (!this.hidden.concern(context.method)) continue;
      context.hidden = await this.hidden.find(context);
      for (const entry of context.hidden) hidden.add(entry);
    }
    return hidden.size === 0 ? authorization : (authorization.reconsider?.(hidden) ?? {});
  }
}

function createLateError(timeoutMs: number): McpError {
  return new McpError(ErrorCode.InternalError, `The calls took longer than ${timeoutMs} ms and were stopped`);
}
