import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { Store } from './store.js';

/** A message's sender: the page, the server, or an app on the page. */
export type Direction = 'sent' | 'received' | 'app';

/** A message on the connection. */
export interface Message {
  readonly id: number;
  readonly at: Date;
  readonly direction: Direction;
  readonly kind: 'request' | 'result' | 'error' | 'notification';
  /** Its method, or for a response, the request's method. */
  readonly method: string;
  /** The message as it was sent. */
  readonly message: unknown;
  /** Its size as JSON, in bytes. */
  readonly bytes: number;
  /** The request that it is the response to. */
  readonly answers?: Message | undefined;
  /** The time since that request, in milliseconds. */
  readonly ms?: number | undefined;
}

/** A notification from the server. */
export interface Notice {
  readonly id: number;
  readonly at: Date;
  readonly method: string;
  readonly params: unknown;
}

/** A request, and its response if that has arrived. */
export interface Exchange {
  readonly request: Message;
  readonly answer: Message | undefined;
}

const MOST_MESSAGES = 500;

/** The maximum total size of the recorded messages, in bytes. The newest message is always recorded. */
const MOST_BYTES = 16_000_000;

/** The connection's messages, newest first. */
export class Journal extends Store {
  #messages: readonly Message[] = [];
  #lastId = 0;
  /** The requests without a response, keyed by sender and id. */
  readonly #open = new Map<string, { readonly request: Message; readonly beganAt: number }>();

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The server's notifications. */
  get notices(): readonly Notice[] {
    return this.#messages
      .filter(({ direction, kind }) => direction !== 'sent' && kind === 'notification')
      .map(({ id, at, method, message }) => ({ id, at, method, params: readMember(message, 'params') }));
  }

  /** The id of the last message. Later messages have greater ids. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Finds the last request of a method that was sent after another message, with its response. */
  findExchange(method: string, afterId: number): Exchange | undefined {
    const request = this.#messages.find(
      (one) =>
        one.id > afterId && one.direction === 'sent' && one.kind === 'request' && one.method === method,
    );
    if (request === undefined) return undefined;
    return { request, answer: this.#messages.find(({ answers }) => answers === request) };
  }

  /** Starts a new connection, in which request ids restart. */
  begin(): void {
    this.#open.clear();
  }

  /** Adds a message. */
  note(direction: Direction, message: unknown): void {
    this.#lastId += 1;
    const noted = { id: this.#lastId, at: new Date(), direction, message, bytes: countBytes(message) };
    this.#messages = limit([this.#describe(noted), ...this.#messages]);
    this.changed();
  }

  /** Removes all messages. */
  clear(): void {
    this.#messages = [];
    this.changed();
  }

  #describe(noted: Omit<Message, 'kind' | 'method'>): Message {
    const method = readMember(noted.message, 'method');
    const id = readMember(noted.message, 'id');
    if (typeof method !== 'string') return this.#describeAnswer(noted, id);
    if (id === undefined) return { ...noted, kind: 'notification', method };
    const request = { ...noted, kind: 'request', method } as const;
    this.#open.set(formatKey(noted.direction, id), { request, beganAt: performance.now() });
    return request;
  }

  #describeAnswer(noted: Omit<Message, 'kind' | 'method'>, id: unknown): Message {
    const key = formatKey(noted.direction === 'sent' ? 'received' : 'sent', id);
    const asked = this.#open.get(key);
    this.#open.delete(key);
    return {
      ...noted,
      kind: readMember(noted.message, 'error') === undefined ? 'result' : 'error',
      method: asked?.request.method ?? '',
      answers: asked?.request,
      ms: asked && Math.round(performance.now() - asked.beganAt),
    };
  }
}

function formatKey(direction: Direction, id: unknown): string {
  return `${direction} ${JSON.stringify(id)}`;
}

/** Selects the newest messages within the limit. */
function limit(messages: readonly Message[]): readonly Message[] {
  let bytes = 0;
  const end = messages.findIndex((message, index) => {
    bytes += message.bytes;
    return index > 0 && bytes > MOST_BYTES;
  });
  return messages.slice(0, Math.min(MOST_MESSAGES, end === -1 ? Infinity : end));
}

function countBytes(message: unknown): number {
  return new TextEncoder().encode(JSON.stringify(message)).byteLength;
}

function readMember(message: unknown, name: string): unknown {
  return isObject(message) ? message[name] : undefined;
}
