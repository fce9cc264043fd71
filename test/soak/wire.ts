import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import { EventStream } from '../support/clients/event-stream.js';
import type { Message } from '../support/clients/message.js';
import { within } from '../support/until.js';

/** What goes over the wire. */
export interface Outgoing {
  /** @default 'POST' with a body, else 'GET' */
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Whether the answer is a stream that lasts, which takes a connection of its own. @default false */
  readonly longRunning?: boolean;
}

/** An answer that was read to its end. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly messages: readonly Message[];
}

/** Far beyond what a server takes on a busy machine. */
const ANSWER_MS = 20_000;
const POOL_MS = 30_000;
/** Linux has the whole of 127.0.0.0/8, and ports for each: closed connections use none up. */
const ADDRESSES =
  process.platform === 'linux'
    ? Array.from({ length: 8 }, (_, index) => `127.0.0.${index + 1}`)
    : ['127.0.0.1'];

/** Connections to one server: those of short requests are kept and used again. */
export class Wire {
  readonly #pool = new Agent({ keepAlive: true, maxSockets: 128, timeout: POOL_MS });
  #turn = 0;

  constructor(readonly port: number) {}

  /** Sends a request and gives the response as soon as its head is there. */
  open({ method, path = '/mcp', headers, body, longRunning = false }: Outgoing): Promise<IncomingMessage> {
    this.#turn += 1;
    const given = new AbortController();
    const sending = new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: this.port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        localAddress: ADDRESSES[this.#turn % ADDRESSES.length],
        agent: longRunning ? false : this.#pool,
        signal: given.signal,
        headers: {
          ...headers,
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      });
      sent.once('response', resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    // What is not waited for any more must not hold its connection.
    return within(sending, 'the head of an answer', ANSWER_MS).catch((error: unknown) => {
      given.abort();
      throw error;
    });
  }

  /** Sends a request and reads its answer, JSON or events, to the end. */
  async exchange(outgoing: Outgoing): Promise<WireAnswer> {
    const response = await this.open(outgoing);
    return within(readAnswer(response), 'the end of an answer', ANSWER_MS).finally(() => {
      if (!response.complete) response.destroy();
    });
  }

  /** Sends a request whose answer is a stream of events. */
  async openStream(outgoing: Outgoing): Promise<EventStream> {
    const response = await this.open(outgoing);
    if (isEventStream(response)) return new EventStream(response);
    throw new Refusal(await readAnswer(response));
  }

  close(): void {
    this.#pool.destroy();
  }
}

/** An answer that is not the one that was asked for. */
export class Refusal extends Error {
  constructor(readonly answer: WireAnswer) {
    super(`${answer.status} ${JSON.stringify(answer.messages).slice(0, 300)}`);
  }
}

async function readAnswer(response: IncomingMessage): Promise<WireAnswer> {
  const { statusCode: status = 0, headers } = response;
  if (isEventStream(response)) {
    const stream = new EventStream(response);
    await stream.ended;
    return { status, headers, messages: stream.messages };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return { status, headers, messages: text.startsWith('{') ? [JSON.parse(text) as Message] : [] };
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}
