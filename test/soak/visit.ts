import type { EventStream } from '../support/clients/event-stream.js';
import type { JsonObject, Message } from '../support/clients/message.js';
import type { ServerBounds } from './options.js';
import { SessionGone } from './tally.js';
import { Refusal, type Wire, type WireAnswer } from './wire.js';

const ACCEPT = 'application/json, text/event-stream';
const VERSION = '2025-11-25';
/** From this share of a time-out on, a session may have ended while its request was on the way. */
const NEARLY = 0.7;

let lastId = 0;

/** Gives an id that no other request has. */
export function nextId(): number {
  lastId += 1;
  return lastId;
}

/** A call whose answer is a stream. */
export interface StreamedCall {
  readonly id: number;
  readonly stream: EventStream;
}

/** A session as its client has it. */
export class Visit {
  /** Its standing stream, where it has one. */
  standing: EventStream | undefined;
  readonly #streams = new Set<EventStream>();
  readonly #begun = Date.now();
  #lastActive = Date.now();

  private constructor(
    readonly wire: Wire,
    readonly bounds: ServerBounds,
    readonly headers: { readonly [name: string]: string },
  ) {}

  static async open(wire: Wire, bounds: ServerBounds, token: string): Promise<Visit> {
    const headers = { accept: ACCEPT, authorization: `Bearer ${token}` };
    const params = {
      protocolVersion: VERSION,
      capabilities: { elicitation: {} },
      clientInfo: { name: 'soak', version: '1.0.0' },
    };
    const answer = await wire.exchange({
      headers,
      body: format({ id: nextId(), method: 'initialize', params }),
    });
    const id = answer.headers['mcp-session-id'];
    if (answer.status !== 200 || typeof id !== 'string') throw new Refusal(answer);
    const visit = new Visit(wire, bounds, {
      ...headers,
      'mcp-protocol-version': VERSION,
      'mcp-session-id': id,
    });
    await visit.notify('notifications/initialized');
    return visit;
  }

  /** Makes a request and gives its response, of either kind. */
  async ask(method: string, params: JsonObject = {}): Promise<Message> {
    const id = nextId();
    const answer = await this.post({ id, method, params });
    const response = answer.messages.find((message) => message.id === id && message.method === undefined);
    if (response === undefined) throw this.#explain(answer);
    return response;
  }

  /** Makes a request and gives its result. */
  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const { result, error } = await this.ask(method, params);
    if (result !== undefined) return result;
    throw new Error(`"${method}" was answered with ${JSON.stringify(error)}`);
  }

  /** Calls a tool and gives its text. */
  async call(name: string, given: JsonObject = {}, params: JsonObject = {}): Promise<string> {
    return textOf(await this.request('tools/call', { name, arguments: given, ...params }));
  }

  /** Calls a tool that tells of progress. */
  async start(name: string, given: JsonObject = {}): Promise<StreamedCall> {
    const id = nextId();
    const params = { name, arguments: given, _meta: { progressToken: id } };
    const stream = await this.#openStream({
      headers: this.headers,
      body: format({ id, method: 'tools/call', params }),
    });
    return { id, stream };
  }

  /** Opens the standing stream, or takes a stream up again. */
  read(lastEventId?: string): Promise<EventStream> {
    return this.#openStream({
      headers: {
        ...this.headers,
        accept: 'text/event-stream',
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
  }

  async notify(method: string, params: JsonObject = {}): Promise<void> {
    const answer = await this.post({ method, params });
    if (answer.status !== 202) throw this.#explain(answer);
  }

  async respond(id: Message['id'], result: JsonObject): Promise<void> {
    const answer = await this.post({ id, result });
    if (answer.status !== 202) throw this.#explain(answer);
  }

  async post(message: JsonObject): Promise<WireAnswer> {
    const answer = await this.wire.exchange({ headers: this.headers, body: format(message) });
    if (answer.status === 404) throw this.#explain(answer);
    this.#lastActive = Date.now();
    return answer;
  }

  delete(): Promise<WireAnswer> {
    return this.wire.exchange({ method: 'DELETE', headers: this.headers });
  }

  /** Goes away without a word. */
  async abandon(): Promise<void> {
    await Promise.all([...this.#streams].map((stream) => stream.close()));
  }

  async #openStream(outgoing: Parameters<Wire['open']>[0]): Promise<EventStream> {
    try {
      const stream = await this.wire.openStream({ ...outgoing, longRunning: true });
      this.#lastActive = Date.now();
      this.#streams.add(stream);
      void stream.ended.then(() => this.#streams.delete(stream));
      return stream;
    } catch (error) {
      throw error instanceof Refusal ? this.#explain(error.answer) : error;
    }
  }

  /** Whether the server may have ended the session by now, as it has to. */
  get mayHaveEnded(): boolean {
    const { idleTimeoutMs, lifetimeMs } = this.bounds;
    const now = Date.now();
    const wasIdle = now - this.#lastActive > idleTimeoutMs * NEARLY && this.standing?.isEnded !== false;
    return wasIdle || now - this.#begun > lifetimeMs * NEARLY;
  }

  /** Tells a session that had to end from one that should not have. */
  #explain(answer: WireAnswer): Error {
    return answer.status === 404 && this.mayHaveEnded ? new SessionGone() : new Refusal(answer);
  }
}

export function format(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...message });
}

/** The first text of a tool's result. */
export function textOf(result: JsonObject | undefined): string {
  const { content } = (result ?? {}) as { content?: readonly { text?: string }[] };
  return content?.[0]?.text ?? '';
}
