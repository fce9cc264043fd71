import { parseRetryAfter } from '../../../core/protocol/headers/http-headers.js';
import { readRateLimitedResponse } from '../../../core/protocol/rate-limited.error.js';
import { SessionEndedError } from '../errors.js';
import { createBusyError, isBusyStatus, isNetworkError, markNetworkError } from './transient-errors.js';

/** Observes the link to a server while the official client uses it. */
export class LinkWatch {
  /** Why the link is lost; absent while it works. */
  problem: unknown;
  /** The latest response's status, if the server is busy; absent otherwise. */
  busyStatus: number | undefined;
  readonly #listeners: Partial<Record<'lost' | 'gap' | 'ended', () => void>> = {};
  #isConnecting = true;
  /** Open GET streams. Some of them resume an interrupted response. */
  #openStreams = 0;
  #retryAt = 0;

  constructor(private readonly clientName: string) {}

  /** Calls back once the link is lost, or immediately if it already is. */
  onLost(listener: () => void): void {
    this.#listeners.lost = listener;
    if (this.problem !== undefined) listener();
  }

  /** Calls back whenever messages may have been missed. */
  onGap(listener: () => void): void {
    this.#listeners.gap = listener;
  }

  /** Calls back once the server has ended the session, after which no more responses can arrive. */
  onSessionEnded(listener: () => void): void {
    this.#listeners.ended = listener;
  }

  /** Whether a stream is open that the server can send notifications on. */
  get hasStream(): boolean {
    return this.problem === undefined && this.#openStreams > 0;
  }

  /** Milliseconds until the server accepts requests again. */
  get retryAfterMs(): number {
    return Math.max(0, this.#retryAt - performance.now());
  }

  /** Marks the connection as open. Until then, nothing more is sent to a busy server. */
  endConnecting(): void {
    this.#isConnecting = false;
  }

  /** Marks the link as lost. Only the first reason counts. */
  lose(problem: unknown): void {
    if (problem instanceof SessionEndedError) this.#listeners.ended?.();
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.#listeners.lost?.();
  }

  /** Wraps `fetch`, to observe requests that fail in the network. */
  watchSending(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      try {
        return await send(input, init);
      } catch (error) {
        if (isNetworkError(markNetworkError(error)) && init?.signal?.aborted !== true) this.lose(error);
        throw error;
      }
    };
  }

  /** Wraps `fetch`, to observe the responses. */
  watchAnswers(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      // Otherwise, the official client would retry a busy server with a different revision.
      if (this.#isConnecting && this.busyStatus !== undefined) throw createBusyError(this.busyStatus);
      this.busyStatus = undefined;
      const response = await send(input, init);
      const isOfSession = new Headers(init?.headers).has('mcp-session-id');
      if (response.status === 404 && isOfSession) this.lose(new SessionEndedError(this.clientName));
      this.#noteRetryAfter(response);
      // The official client ignores `Retry-After`.
      const isLimited = response.status === 429 && init?.method === 'POST';
      if (isLimited && !this.#isConnecting) throw await readRateLimitedResponse(response);
      if (!response.ok || response.body === null) return response;
      if (init?.method === 'GET') return this.#watchStream(response, response.body);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      return isStream ? response : replaceBody(response, this.#forward(response.body));
    };
  }

  #noteRetryAfter({ status, headers }: Response): void {
    if (!isBusyStatus(status)) return;
    this.busyStatus = status;
    const waitMs = parseRetryAfter(headers.get('retry-after') ?? undefined, Date.now()) ?? 0;
    this.#retryAt = Math.max(this.#retryAt, performance.now() + waitMs);
  }

  #watchStream(response: Response, body: ReadableStream<Uint8Array>): Response {
    this.#openStreams += 1;
    return replaceBody(response, this.#forwardStream(body));
  }

  /** For complete responses. SSE readers notice an interruption themselves. */
  async *#forward(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      if (isNetworkError(markNetworkError(error))) this.lose(error);
      throw error;
    }
  }

  async *#forwardStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } finally {
      this.#openStreams -= 1;
      this.#listeners.gap?.();
    }
  }
}

function replaceBody(response: Response, chunks: AsyncGenerator<Uint8Array>): Response {
  const { status, statusText, headers } = response;
  return new Response(ReadableStream.from(chunks), { status, statusText, headers });
}
