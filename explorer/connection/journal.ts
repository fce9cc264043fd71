import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { Store } from './store.js';

/** Who has sent a message: the page, the server, or an app that the page shows. */
export type Direction = 'sent' | 'received' | 'app';

/** A message of the connection. */
export interface Message {
  readonly id: number;
  readonly at: Date;
  readonly direction: Direction;
  readonly kind: 'request' | 'result' | 'error' | 'notification';
  /** Its method; that of the request, if it answers one. */
  readonly method: string;
  /** The message as it was sent. */
  readonly message: unknown;
  /** How many bytes it has as JSON. */
  readonly bytes: number;
  /** The request that it answers. */
  readonly answers?: Message | undefined;
  /** Milliseconds since that request. */
  readonly ms?: number | undefined;
}

/** Something that the server has told without being asked. */
export interface Notice {
  readonly id: number;
  readonly at: Date;
  readonly method: string;
  readonly params: unknown;
}

/** A request, and its answer if it has come. */
export interface Exchange {
  readonly request: Message;
  readonly answer: Message | undefined;
}

const MOST_MESSAGES = 500;

/** All kept messages together have no more bytes than this, unless the last alone has. */
const MOST_BYTES = 16_000_000;

/** The messages of the connection, the last first. */
export class Journal extends Store {
  #messages: readonly Message[] = [];
  #lastId = 0;
  /** The requests without an answer, by who sent them and their ids. */
  readonly #open = new Map<string, { readonly request: Message; readonly beganAt: number }>();

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** What the server has told without being asked. */
  get notices(): readonly Notice[] {
    return this.#messages
      .filter(({ direction, kind }) => direction !== 'sent' && kind === 'notification')
      .map(({ id, at, method, message }) => ({ id, at, method, params: readMember(message, 'params') }));
  }

  /** The id of the last message: later ones have greater ones. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Finds the last request of a method that was sent after another message, with its answer. */
  findExchange(method: string, afterId: number): Exchange | undefined {
    const request = this.#messages.find(
      (one) =>
        one.id > afterId && one.direction === 'sent' && one.kind === 'request' && one.method === method,
    );
    if (request === undefined) return undefined;
    return { request, answer: this.#messages.find(({ answers }) => answers === request) };
  }

  /** A new connection begins, in which ids are counted again. */
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

  /** Forgets all of them. */
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

/** Keeps the last messages. */
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
