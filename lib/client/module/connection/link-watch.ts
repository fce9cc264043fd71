import { parseRetryAfter } from '../../../core/protocol/headers/retry-after.js';
import { readLimitedAnswer } from '../../../core/protocol/limited-answer.js';
import { SessionEndedError } from '../errors.js';
import { createBusyError, isBusyStatus, isNetworkFault, noteNetworkFault } from './transient-errors.js';

/** Sees what becomes of the link to a server while the official client uses it. */
export class LinkWatch {
  /** Why the link is of no use any more; absent while it is. */
  fault: unknown;
  /** The status of the latest answer, if it says that the server is busy; absent otherwise. */
  busyStatus: number | undefined;
  readonly #listeners: Partial<Record<'lost' | 'gap' | 'ended', () => void>> = {};
  #isConnecting = true;
  /** Streams by GET. Some of them continue an interrupted answer. */
  #openStreams = 0;
  #restsUntil = 0;

  constructor(private readonly clientName: string) {}

  /** Calls back once the link is lost; at once if it is already. */
  onLost(listener: () => void): void {
    this.#listeners.lost = listener;
    if (this.fault !== undefined) listener();
  }

  /** Calls back whenever messages may have been missed. */
  onGap(listener: () => void): void {
    this.#listeners.gap = listener;
  }

  /** Calls back once the server does not know the session any more, so that no answer can come in it. */
  onSessionEnded(listener: () => void): void {
    this.#listeners.ended = listener;
  }

  /** Whether a stream is open on which the server can send notifications. */
  get isStanding(): boolean {
    return this.fault === undefined && this.#openStreams > 0;
  }

  /** For how many milliseconds the server still wants to be left alone. */
  get restMs(): number {
    return Math.max(0, this.#restsUntil - performance.now());
  }

  /** Takes note that the connection is made; before, nothing more is sent to a server that is busy. */
  endConnecting(): void {
    this.#isConnecting = false;
  }

  /** Takes note that the link is lost; the first reason counts. */
  lose(fault: unknown): void {
    if (fault instanceof SessionEndedError) this.#listeners.ended?.();
    if (this.fault !== undefined) return;
    this.fault = fault;
    this.#listeners.lost?.();
  }

  /** Creates a `fetch` that tells this watch if requests do not get through. */
  watchSending(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      try {
        return await send(input, init);
      } catch (error) {
        if (isNetworkFault(noteNetworkFault(error)) && init?.signal?.aborted !== true) this.lose(error);
        throw error;
      }
    };
  }

  /** Creates a `fetch` that tells this watch how requests are answered. */
  watchAnswers(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      // The official client would ask a server that is busy for another revision at once.
      if (this.#isConnecting && this.busyStatus !== undefined) throw createBusyError(this.busyStatus);
      this.busyStatus = undefined;
      const response = await send(input, init);
      const isOfSession = new Headers(init?.headers).has('mcp-session-id');
      if (response.status === 404 && isOfSession) this.lose(new SessionEndedError(this.clientName));
      this.#heedRest(response);
      // The official client has no eyes for when to come again.
      const isLimited = response.status === 429 && init?.method === 'POST';
      if (isLimited && !this.#isConnecting) throw await readLimitedAnswer(response);
      if (!response.ok || response.body === null) return response;
      if (init?.method === 'GET') return this.#watchStanding(response, response.body);
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      return isStream ? response : replaceBody(response, this.#passOnWhole(response.body));
    };
  }

  #heedRest({ status, headers }: Response): void {
    if (!isBusyStatus(status)) return;
    this.busyStatus = status;
    const restMs = parseRetryAfter(headers.get('retry-after') ?? undefined, Date.now()) ?? 0;
    this.#restsUntil = Math.max(this.#restsUntil, performance.now() + restMs);
  }

  #watchStanding(response: Response, body: ReadableStream<Uint8Array>): Response {
    this.#openStreams += 1;
    return replaceBody(response, this.#passOnStanding(body));
  }

  /** The reader of an interrupted answer notices this itself. */
  async *#passOnWhole(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      if (isNetworkFault(noteNetworkFault(error))) this.lose(error);
      throw error;
    }
  }

  async *#passOnStanding(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
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
