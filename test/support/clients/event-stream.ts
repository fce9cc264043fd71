import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Message } from './message.js';
import { PATIENCE_MS, within } from '../until.js';

/** One block of an event stream: an event, or comments alone. */
export interface ServerEvent {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: number;
  readonly comments: readonly string[];
}

type EventPredicate = (event: ServerEvent) => boolean;
type MessagePredicate = (message: Message) => boolean;

const LINE_END = /\r\n|\n|\r/;

/** Reads an event stream and keeps all of it, so that a test can wait for what comes and look at what came. */
export class EventStream {
  /** All blocks so far. */
  readonly events: ServerEvent[] = [];
  /** Resolves when the stream has ended, by whichever side. */
  readonly ended: Promise<void>;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  #rest = '';
  #lines: string[] = [];
  #position = 0;
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(readonly response: IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#read(chunk));
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      response.once('close', () => {
        this.#isEnded = true;
        resolve();
        this.#wake();
      });
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Characters so far of a line that has not ended. */
  get unfinished(): number {
    return this.#rest.length;
  }

  /** The JSON-RPC messages so far. */
  get messages(): Message[] {
    return this.events.flatMap((event) => (isMessage(event) ? [parseMessage(event)] : []));
  }

  /** The id of the last event that has one. */
  get lastEventId(): string | undefined {
    return this.events.findLast((event) => event.id !== undefined)?.id;
  }

  /**
   * Gives the next block that fits; those before it are passed over.
   *
   * @throws Error when the stream ends, or the deadline passes, before one comes; while a long one comes, no deadline passes
   */
  async next(predicate: EventPredicate = () => true, timeoutMs = PATIENCE_MS): Promise<ServerEvent> {
    return within(this.#find(predicate), 'an event', timeoutMs, () => this.unfinished);
  }

  /** Gives the next JSON-RPC message that fits; those before it are passed over. */
  async nextMessage(predicate: MessagePredicate = () => true, timeoutMs = PATIENCE_MS): Promise<Message> {
    const event = await this.next(
      (candidate) => isMessage(candidate) && predicate(parseMessage(candidate)),
      timeoutMs,
    );
    return parseMessage(event);
  }

  /** Gives the next notification of a method. */
  nextNotification(method: string, timeoutMs = PATIENCE_MS): Promise<Message> {
    return this.nextMessage((message) => message.method === method, timeoutMs);
  }

  /** Closes the connection from the client's side. */
  async close(): Promise<void> {
    this.response.destroy();
    await this.ended;
  }

  async #find(predicate: EventPredicate): Promise<ServerEvent> {
    for (;;) {
      const event = this.events[this.#position];
      if (event !== undefined) {
        this.#position += 1;
        if (predicate(event)) return event;
      } else if (this.#isEnded) {
        throw new Error('The stream ended before the event came');
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #read(chunk: string): void {
    // A long line comes in many chunks, and is looked through but once.
    if (!LINE_END.test(chunk) && !this.#rest.endsWith('\r')) return void (this.#rest += chunk);
    const text = this.#rest + chunk;
    // A carriage return at the end of a chunk may be the first half of a line end.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = complete.split(LINE_END);
    this.#rest = (lines.pop() ?? '') + text.slice(complete.length);
    for (const line of lines) this.#readLine(line);
    this.#wake();
  }

  #readLine(line: string): void {
    if (line !== '') {
      this.#lines.push(line);
      return;
    }
    if (this.#lines.length > 0) this.events.push(parseEvent(this.#lines));
    this.#lines = [];
  }
}

function parseEvent(lines: readonly string[]): ServerEvent {
  const fields = lines.map(parseField);
  const values = (name: string) => fields.filter((field) => field.name === name).map(({ value }) => value);
  const [id, event, retry] = ['id', 'event', 'retry'].map((name) => values(name).at(-1));
  const lastingLines = values('data');
  return {
    comments: values(''),
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(retry !== undefined && { retry: Number(retry) }),
    ...(lastingLines.length > 0 && { data: lastingLines.join('\n') }),
  };
}

function parseField(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: line, value: '' };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') };
}

/** HTTP+SSE has one event that is no message: the one that says where to post. */
function isMessage({ data = '', event }: ServerEvent): boolean {
  return data !== '' && event !== 'endpoint';
}

function parseMessage(event: ServerEvent): Message {
  return JSON.parse(event.data ?? '') as Message;
}
