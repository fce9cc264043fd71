import { randomBytes } from 'node:crypto';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import type { JsonRpcResponse, Params, RequestId } from '../../core/protocol/json-rpc.js';
import {
  OutboundNotification,
  OutboundRequest,
  type OutboundMessage,
} from '../../core/protocol/outbound-message.js';
import { LONGEST_TIMER_MS } from '../../core/checks/option-checks.js';
import { callAfter } from '../../core/async/timers.js';
import { isPromiseLike } from '../../core/async/promises.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { ClientProgress } from '../context/input-request.interface.js';
import { ToolError } from '../context/tool-errors.js';
import { holdsScopes, type ScopeHolder } from './streams/scope-holder.interface.js';
import { ClientResponseError } from './client-response.error.js';
import { formatInputRequestId } from './input-request-id.js';

/** How a request to the client travels, and for how long its answer is waited for. */
export interface PendingCall {
  readonly request: InputRequest;
  readonly timeoutMs: number;
  /** Names this process, if answers may reach others. @default it is alone */
  readonly member?: string | undefined;
  /** Aborts the request with the call it belongs to. */
  readonly signal: AbortSignal;
  readonly send: (message: OutboundMessage) => void;
  /** The access of the asking call. An answer is accepted only with a token that has the scopes of the call. @default from all */
  readonly auth?: Pick<AuthView, 'requiredScopes'> | undefined;
  readonly onProgress?: ((progress: ClientProgress) => void) | undefined;
}

interface PendingEntry {
  readonly call: PendingCall;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly release: () => void;
  lastProgress: number;
}

/** What the client is told about a fault that is not its own. */
const FAULT = 'The server failed';

/** The requests that the server has put to one client and that are not answered yet. */
export class PendingRequests {
  readonly #entries = new Map<RequestId, PendingEntry>();
  /** Sets these ids apart from those of a process that served the session before. */
  #prefix: string | undefined;
  #count = 0;

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws {ClientResponseError} if the client answers with an error
   * @throws {ToolError} if it does not answer in time, or the call that asks is over
   */
  request(call: PendingCall): Promise<unknown> {
    this.#prefix ??= randomBytes(6).toString('base64url');
    this.#count += 1;
    const id = formatInputRequestId({ member: call.member, prefix: this.#prefix, count: this.#count });
    return new Promise((resolve, reject) => {
      if (call.signal.aborted) throw buildAbortError(call.signal);
      const message = buildMessage(call, id);
      const release = this.#watch(call, id);
      this.#entries.set(id, { call, resolve, reject, release, lastProgress: -Infinity });
      call.send(message);
    });
  }

  /** Returns the scopes that the token of an answer must have. The call that waits for the answer required them. */
  findScopes({ id }: JsonRpcResponse): readonly string[] {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry?.call.auth?.requiredScopes ?? [];
  }

  /** Takes an answer of the client. It is dropped if nobody waits for it, or if its token lacks a scope for it. */
  settle(response: JsonRpcResponse, holder?: ScopeHolder): void {
    if (!holdsScopes(holder, this.findScopes(response))) return;
    const { id, result, error } = response;
    const entry = id === undefined ? undefined : this.#take(id);
    if (entry === undefined) return;
    if (error === undefined) return entry.resolve(result);
    const explanation = typeof error.message === 'string' ? error.message.slice(0, 500) : 'no reason';
    entry.reject(new ClientResponseError(entry.call.request.method, error.code, explanation));
  }

  /** Takes progress of the client by its token; a token that is not known, and progress that does not grow, is dropped. */
  progress(params: Params): void {
    const { progressToken, progress, total, message } = params;
    const entry = this.#entries.get(progressToken as RequestId);
    if (entry?.call.onProgress === undefined) return;
    if (!isFinite(progress) || progress <= entry.lastProgress) return;
    entry.lastProgress = progress;
    const fail = (error: unknown): void =>
      this.#abandon(progressToken as RequestId, error instanceof Error ? error : new Error(String(error)));
    try {
      const heard: unknown = entry.call.onProgress({
        progress,
        ...(isFinite(total) && { total }),
        ...(typeof message === 'string' && { message }),
      });
      if (isPromiseLike(heard)) Promise.resolve(heard).catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Gives up all requests, as when the client is gone for good: nobody is there to be told. */
  close(): void {
    for (const id of this.#entries.keys()) {
      this.#take(id)?.reject(new ToolError('The client is gone'));
    }
  }

  /** Gives a request up when its time is over, or its call. */
  #watch({ request, timeoutMs, signal }: PendingCall, id: RequestId): () => void {
    const stopClock = callAfter(Math.min(timeoutMs, LONGEST_TIMER_MS), () =>
      this.#abandon(id, new ToolError(`The client did not answer "${request.method}" in time`)),
    );
    const abort = (): void => this.#abandon(id, buildAbortError(signal));
    signal.addEventListener('abort', abort, { once: true });
    return () => {
      stopClock();
      signal.removeEventListener('abort', abort);
    };
  }

  /** Gives a request up and tells the client so (MCP basic/utilities/cancellation). */
  #abandon(id: RequestId, error: Error): void {
    const entry = this.#take(id);
    if (entry === undefined) return;
    const reason = error instanceof ToolError ? error.message : FAULT;
    entry.call.send(new OutboundNotification('notifications/cancelled', { requestId: id, reason }));
    entry.reject(error);
  }

  #take(id: RequestId): PendingEntry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    entry.release();
    return entry;
  }
}

/** Serialises a request while a failure to do so is the caller's alone. */
function buildMessage({ request, onProgress }: PendingCall, id: RequestId): OutboundRequest {
  const { method, params = {} } = request;
  const meta = params['_meta'] as object | undefined;
  const withToken = onProgress === undefined ? params : { ...params, _meta: { ...meta, progressToken: id } };
  const message = new OutboundRequest(id, method, withToken);
  void message.json;
  return message;
}

/** Calls are aborted with a `DOMException` that says why. */
function buildAbortError({ reason }: AbortSignal): ToolError {
  return new ToolError((reason as DOMException).message);
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value);
}
