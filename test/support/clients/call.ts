import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { EventStream } from './event-stream.js';
import type { JsonObject, Message } from './message.js';
import { openHttp, readResponse, type RawRequest } from './raw-http.js';
import { ANSWER_MS, within } from '../until.js';

/** All that a request was answered with. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** What came before the response. */
  readonly notifications: readonly Message[];
  /** The JSON-RPC response, if there was one. */
  readonly response?: Message;
  readonly result?: JsonObject;
  readonly error?: NonNullable<Message['error']>;
}

/** A request that has been sent, before it is known how it will be answered. */
export class Call {
  readonly #abort = new AbortController();
  readonly #opened: Promise<IncomingMessage>;

  constructor(
    url: string,
    request: RawRequest,
    readonly id: string | number,
  ) {
    this.#opened = openHttp(url, { ...request, signal: this.#abort.signal });
    this.#opened.catch(() => undefined);
  }

  /** Waits for the head of an answer that is an event stream. */
  async stream(): Promise<EventStream> {
    const response = await within(this.#opened, 'the head of an answer');
    const type = response.headers['content-type'] ?? 'nothing';
    if (type.startsWith('text/event-stream')) return new EventStream(response);
    const { status, text } = await readResponse(response);
    throw new Error(`Expected an event stream, got ${status} ${type}: ${text}`);
  }

  /** Waits for the whole answer, so long for its head. */
  async answer(timeoutMs = ANSWER_MS): Promise<Answer> {
    const response = await within(this.#opened, 'the head of an answer', timeoutMs);
    const type = response.headers['content-type'] ?? '';
    const messages = type.startsWith('text/event-stream')
      ? await readStream(response)
      : parseBody((await readResponse(response)).text, type);
    return buildAnswer(response, messages);
  }

  /**
   * Waits for the result.
   *
   * @throws Error where the answer is anything else
   */
  async result(): Promise<JsonObject> {
    const { status, response, result } = await this.answer();
    if (result !== undefined) return result;
    throw new Error(`Expected a result, got ${status} ${JSON.stringify(response)}`);
  }

  /** Breaks the connection off, as a client that goes away does. */
  disconnect(): void {
    this.#abort.abort();
  }
}

async function readStream(response: IncomingMessage): Promise<Message[]> {
  const stream = new EventStream(response);
  await within(stream.ended, 'the end of a stream', ANSWER_MS, () => stream.unfinished);
  return stream.messages;
}

function parseBody(text: string, type: string): Message[] {
  if (text === '' || !type.startsWith('application/json')) return [];
  const body = JSON.parse(text) as Message | Message[];
  return Array.isArray(body) ? body : [body];
}

function buildAnswer(head: IncomingMessage, messages: readonly Message[]): Answer {
  const response = messages.find((message) => 'result' in message || 'error' in message);
  return {
    status: head.statusCode ?? 0,
    headers: head.headers,
    notifications: messages.filter((message) => message.method !== undefined),
    ...(response && { response }),
    ...(response?.result && { result: response.result }),
    ...(response?.error && { error: response.error }),
  };
}
