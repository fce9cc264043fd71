import { randomBytes } from 'node:crypto';
import type { ClientProgress } from '../context/question.interface.js';
import { ToolError } from '../context/tool.error.js';
import type { ClientRequest } from '../protocol/client-requests.js';
import type { JsonRpcResponse, Params, RequestId } from '../protocol/json-rpc.js';
import { OutboundNotification, OutboundRequest, type OutboundMessage } from '../protocol/outbound-message.js';

/** How a request to the client travels, and for how long its answer is waited for. */
export interface PendingCall {
  readonly request: ClientRequest;
  readonly timeoutMs: number;
  /** Aborts the request with the call it belongs to. */
  readonly signal: AbortSignal;
  readonly send: (message: OutboundMessage) => void;
  readonly onProgress?: ((progress: ClientProgress) => void) | undefined;
}

/** The client could not, or would not, answer a request. */
export class ClientResponseError extends ToolError {
  constructor(
    readonly method: string,
    readonly code: number,
    explanation: string,
  ) {
    super(`The client refused "${method}": ${explanation}`);
  }
}

interface PendingEntry {
  readonly call: PendingCall;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly release: () => void;
  lastProgress: number;
}

/** The requests that the server has put to one client and that are not answered yet. */
export class PendingRequests {
  readonly #entries = new Map<RequestId, PendingEntry>();
  /** Sets these ids apart from those of a process that served the session before. */
  readonly #prefix = randomBytes(6).toString('base64url');
  #count = 0;

  get size(): number {
    return this.#entries.size;
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws {ClientResponseError} where the client answers with an error
   * @throws {ToolError} where it does not answer in time
   */
  request(call: PendingCall): Promise<unknown> {
    this.#count += 1;
    const id = `${this.#prefix}-${this.#count}`;
    return new Promise((resolve, reject) => {
      const { method } = call.request;
      const timer = setTimeout(
        () => this.#abandon(id, new ToolError(`The client did not answer "${method}" in time`)),
        call.timeoutMs,
      ).unref();
      const abort = (): void => this.#abandon(id, new ToolError('The call was cancelled'));
      const release = (): void => {
        clearTimeout(timer);
        call.signal.removeEventListener('abort', abort);
      };
      this.#entries.set(id, { call, resolve, reject, release, lastProgress: -Infinity });
      call.signal.addEventListener('abort', abort, { once: true });
      call.send(new OutboundRequest(id, method, buildParams(call, id)));
      if (call.signal.aborted) abort();
    });
  }

  /** Takes an answer of the client; one that nobody waits for is dropped. */
  settle({ id, result, error }: JsonRpcResponse): void {
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
    if (typeof progress !== 'number' || progress <= entry.lastProgress) return;
    entry.lastProgress = progress;
    entry.call.onProgress({
      progress,
      ...(typeof total === 'number' && { total }),
      ...(typeof message === 'string' && { message }),
    });
  }

  /** Gives up all requests, as when the client is gone for good: nobody is there to be told. */
  close(): void {
    for (const id of this.#entries.keys()) {
      this.#take(id)?.reject(new ToolError('The client is gone'));
    }
  }

  /** Gives a request up and tells the client so (MCP basic/utilities/cancellation). */
  #abandon(id: RequestId, error: Error): void {
    const entry = this.#take(id);
    if (entry === undefined) return;
    entry.call.send(
      new OutboundNotification('notifications/cancelled', { requestId: id, reason: error.message }),
    );
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

function buildParams({ request, onProgress }: PendingCall, id: RequestId): object {
  if (onProgress === undefined) return request.params;
  return { ...request.params, _meta: { progressToken: id } };
}
