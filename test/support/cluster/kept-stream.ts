import { setTimeout as delay } from 'node:timers/promises';
import type { EventStream, ServerEvent } from '../clients/event-stream.js';
import type { SessionClient } from '../clients/json-rpc.js';
import type { Message } from '../clients/message.js';
import { until } from '../until.js';

const RETRY_MS = 50;
/** How often in a row nobody may be there at all: then the test is over. */
const MOST_UNREACHED = 1200;
/** The first revision whose streams begin with an event that can be resumed from. */
const PRIMED_FROM = '2025-11-25';

/** A message with the id of its event. */
export interface Heard {
  /** The place that it has in the log; empty for what came before it had one. */
  readonly id: string | undefined;
  readonly message: Message;
  /** When it came, by the monotonic clock. */
  readonly at: number;
}

/** A client that keeps its standing stream: whenever it loses it, it comes back with the id of the last event. */
export class KeptStream {
  /** All that was heard, on whichever connection. */
  readonly heard: Heard[] = [];
  /** How often it came back. */
  returns = 0;
  /** What it was refused for. */
  readonly refusals: string[] = [];
  #stream: EventStream | undefined;
  #lastEventId: string | undefined;
  #isOver = false;
  readonly #running: Promise<void>;

  #present = Promise.resolve();
  #comeBack: (() => void) | undefined;

  private constructor(private readonly find: () => SessionClient) {
    this.#running = this.#keep();
  }

  /**
   * Opens the stream, and waits until it can be resumed; in revisions without a first event for that, until it is open.
   *
   * @param find gives the session at the process where the stream is opened next
   */
  static async open(session: SessionClient, find: () => SessionClient = () => session): Promise<KeptStream> {
    const kept = new KeptStream(find);
    const isPrimed = session.version >= PRIMED_FROM;
    const isOpen = () => (isPrimed ? kept.#lastEventId : kept.#stream) !== undefined;
    await until(isOpen, () => `a standing stream: ${kept.refusals.at(-1)}`, 30_000).catch(
      async (error: unknown) => {
        await kept.close();
        throw error;
      },
    );
    return kept;
  }

  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** The numbers that were announced to it, in the order in which they came. */
  get numbers(): readonly number[] {
    return this.heard.flatMap(({ message: { method, params } }) => {
      const { n } = (method === 'notifications/message' ? (params?.['data'] ?? {}) : {}) as { n?: number };
      return n === undefined ? [] : [n];
    });
  }

  /** Counts what came of a method. */
  count(method: string): number {
    return this.heard.filter(({ message }) => message.method === method).length;
  }

  /** Loses the connection, as a client that moves to another network does. */
  lose(): void {
    this.#stream?.response.destroy();
  }

  /** Loses the connection, and does not come back before it is told to. */
  leave(): void {
    this.#present = new Promise((resolve) => (this.#comeBack = resolve));
    this.lose();
  }

  get isAway(): boolean {
    return this.#comeBack !== undefined;
  }

  comeBack(): void {
    this.#comeBack?.();
    this.#comeBack = undefined;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.comeBack();
    this.lose();
    await this.#running;
  }

  async #keep(): Promise<void> {
    let unreached = 0;
    while (!this.#isOver && unreached < MOST_UNREACHED) {
      await this.#present;
      const stream = await this.find().openStream({ lastEventId: this.#lastEventId }).catch(String);
      if (typeof stream === 'string') {
        this.refusals.push(stream);
        unreached = stream.includes('ECONNREFUSED') ? unreached + 1 : 0;
        await delay(RETRY_MS);
      } else {
        this.returns += this.#lastEventId === undefined ? 0 : 1;
        await this.#read(stream);
      }
    }
  }

  async #read(stream: EventStream): Promise<void> {
    this.#stream = stream;
    let read = 0;
    const take = (): void => {
      for (; read < stream.events.length; read += 1) this.#take(stream.events[read] ?? { comments: [] });
    };
    stream.response.on('data', take);
    take();
    if (this.#isOver) this.lose();
    await stream.ended;
    take();
  }

  #take({ id, data = '' }: ServerEvent): void {
    const hasPlace = id !== undefined && !isEarly(id, this.#lastEventId);
    if (id !== undefined) this.#lastEventId = id;
    if (data === '') return;
    const message = JSON.parse(data) as Message;
    this.heard.push({ id: hasPlace ? id.split('~')[0] : '', message, at: performance.now() });
  }
}

/** Tells whether an event has no place yet: its id says that more was given than the id before it, behind the same place. */
function isEarly(id: string, before = ''): boolean {
  const known = readNewest(before);
  return [...readNewest(id)].some(([member, count]) => count > (known.get(member) ?? 0));
}

/** Reads which entry of each process an event id names last that was given before it had a place. */
function readNewest(id: string): ReadonlyMap<string, number> {
  const parts = id.split('~').slice(1);
  return new Map(
    parts.map((part) => {
      const [member = '', ranges = ''] = part.split(':');
      const [from = 0, more = 0] = (ranges.split(',').at(-1) ?? '').split('+').map(Number);
      return [member, from + more];
    }),
  );
}

/** Whole numbers from one to another. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
