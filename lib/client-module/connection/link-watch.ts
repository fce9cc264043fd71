import { isNetworkFault } from './is-transient.js';
import { SessionEndedError } from '../errors/session-ended.error.js';

/** Sees what becomes of the link to a server while the official client uses it. */
export class LinkWatch {
  /** Why the link is of no use any more; absent while it is. */
  fault: unknown;
  /** Whether a stream stands on which the server can tell what it was not asked. */
  isStanding = false;
  readonly #listeners: Partial<Record<'lost' | 'gap' | 'ended', () => void>> = {};

  constructor(private readonly clientName: string) {}

  /** Calls back once the link is lost; at once where it is already. */
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

  /** Takes note that the link is lost; the first reason counts. */
  lose(fault: unknown): void {
    if (fault instanceof SessionEndedError) this.#listeners.ended?.();
    if (this.fault !== undefined) return;
    this.fault = fault;
    this.isStanding = false;
    this.#listeners.lost?.();
  }

  /** Creates a `fetch` that tells this watch how requests fare. */
  watch(send: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await this.#send(send, input, init);
      const isOfSession = new Headers(init?.headers).has('mcp-session-id');
      if (response.status === 404 && isOfSession) this.lose(new SessionEndedError(this.clientName));
      const isStream = init?.method === 'GET' && response.ok && response.body !== null;
      return isStream ? this.#watchStream(response, response.body) : response;
    };
  }

  async #send(send: typeof fetch, ...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    try {
      return await send(input, init);
    } catch (error) {
      if (isNetworkFault(error) && init?.signal?.aborted !== true) this.lose(error);
      throw error;
    }
  }

  #watchStream(response: Response, body: ReadableStream<Uint8Array>): Response {
    this.isStanding = true;
    const { status, statusText, headers } = response;
    const stream = ReadableStream.from(this.#passOn(body));
    return new Response(stream, { status, statusText, headers });
  }

  async *#passOn(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } finally {
      this.isStanding = false;
      this.#listeners.gap?.();
    }
  }
}
