import type { StatelessClient } from './stateless-client.js';
import { show } from './terminal.js';

/** What an event says of a report. */
export interface ReportEvent {
  readonly eventId: string;
  readonly name: string;
  readonly data: { readonly number: string; readonly topic: string };
}

/** Somebody who keeps a stream of events open. */
export class EventFollower {
  /** The numbers of the reports that were told of. */
  readonly numbers: string[] = [];
  readonly #leaving = new AbortController();
  #over: Promise<void> | undefined;

  constructor(private readonly client: StatelessClient) {}

  /** Opens the stream, and resolves when the server has confirmed it. */
  async start(name: string): Promise<void> {
    const messages = this.client.open('events/stream', { name }, this.#leaving.signal);
    const { value } = await messages.next();
    show('SSE', `the stream of "${name}" is open: ${value?.method}`);
    this.#over = this.#follow(messages).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#leaving.abort();
    await this.#over;
  }

  async #follow(messages: ReturnType<StatelessClient['open']>): Promise<void> {
    for await (const { method, params } of messages) {
      if (method !== 'notifications/events/event') continue;
      const { name, data } = params as unknown as ReportEvent;
      this.numbers.push(data.number);
      show('SSE', `${name}: ${data.number}, "${data.topic}"`);
    }
  }
}
