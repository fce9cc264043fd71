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

/** A request to the client, how it is sent, and how long to wait for the response. */
export interface PendingCall {
  readonly request: InputRequest;
  readonly timeoutMs: number;
  /** Identifies this process, if responses may reach other processes. @default a single process */
  readonly member?: string | undefined;
  /** Aborts the request with the call it belongs to. */
  readonly signal: AbortSignal;
  readonly send: (message: OutboundMessage) => void;
  /**
   * The access for the call that sends the request. Only a token with the call's scopes may respond. @default any
   * token
   */
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

/** The reason that the client receives for a server error. */
const SERVER_ERROR = 'The server failed';

/** The requests that the server has sent to one client and whose responses are outstanding. */
export class PendingRequests {
  readonly #entries = new Map<RequestId, PendingEntry>();
  /** Distinguishes these ids from those of a process that served the session earlier. */
  #prefix: string | undefined;
  #count = 0;

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Sends a request and waits for its response.
   *
   * @throws {ClientResponseError} if the client responds with an error
   * @throws {ToolError} if it does not respond in time, or the call that sent the request has ended
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

  /** Returns the scopes that a response's token must have: the scopes that the waiting call required. */
  findScopes({ id }: JsonRpcResponse): readonly string[] {
    const entry = id === undefined ? undefined : this.#entries.get(id);
    return entry?.call.auth?.requiredScopes ?? [];
  }

  /** Processes a response from the client. It is dropped if no call waits for it, or if its token lacks a required scope. */
  settle(response: JsonRpcResponse, holder?: ScopeHolder): void {
    if (!holdsScopes(holder, this.findScopes(response))) return;
    const { id, result, error } = response;
    const entry = id === undefined ? undefined : this.#take(id);
    if (entry === undefined) return;
    if (error === undefined) return entry.resolve(result);
    const explanation = typeof error.message === 'string' ? error.message.slice(0, 500) : 'no reason';
    entry.reject(new ClientResponseError(entry.call.request.method, error.code, explanation));
  }

  /** Processes progress from the client. Progress that has an unknown token, or does not increase, is dropped. */
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

  /** Abandons all requests without notifying the client, which is gone for good. */
  close(): void {
    for (const id of this.#entries.keys()) {
      this.#take(id)?.reject(new ToolError('The client is gone'));
    }
  }

  /** Abandons a request when it times out or its call ends. */
  #watch({ request, timeoutMs, signal }: PendingCall, id: RequestId): () => void {
    const stopClock = callAfter(Math.min(timeoutMs, LONGEST_TIMER_MS), () =>
      this.#abandon(id, new ToolError(`The client did not respond to "${request.method}" in time`)),
    );
    const abort = (): void => this.#abandon(id, buildAbortError(signal));
    signal.addEventListener('abort', abort, { once: true });
    return () => {
      stopClock();
      signal.removeEventListener('abort', abort);
    };
  }

  /** Abandons a request and notifies the client (MCP basic/utilities/cancellation). */
  #abandon(id: RequestId, error: Error): void {
    const entry = this.#take(id);
    if (entry === undefined) return;
    const reason = error instanceof ToolError ? error.message : SERVER_ERROR;
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

/** Serializes a request early, so that a failure affects only the caller. */
function buildMessage({ request, onProgress }: PendingCall, id: RequestId): OutboundRequest {
  const { method, params = {} } = request;
  const meta = params['_meta'] as object | undefined;
  const withToken = onProgress === undefined ? params : { ...params, _meta: { ...meta, progressToken: id } };
  const message = new OutboundRequest(id, method, withToken);
  void message.json;
  return message;
}

/** Calls are aborted with a `DOMException` that contains the reason. */
function buildAbortError({ reason }: AbortSignal): ToolError {
  return new ToolError((reason as DOMException).message);
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value);
}
