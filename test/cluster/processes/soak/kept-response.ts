import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openHttp, readResponse, type RawRequest } from '../../../support/clients/raw-http.js';
import { until } from '../../../support/until.js';
import { readEvents } from './event-reader.js';

/** Says where a client goes next: the URL of a process that is there, as far as anybody knows. */
export type Choose = () => string;

const RETRY_MS = 20;
const OPEN_MS = 60_000;

/** A stream that is opened again, at any process, whenever it ends. */
export abstract class KeptResponse {
  /** The process that it is at. */
  url = '';
  /** When it was opened last, and when something was heard there first. */
  openedAt = 0;
  heardAt: number | undefined;
  /** The longest time between two things that were heard, in milliseconds, since it was last set. */
  longestSilence = 0;
  /** What it was refused for last. */
  refusal = '';
  #heardLast: number | undefined;
  #response: IncomingMessage | undefined;
  #isOver = false;
  #running = Promise.resolve();

  constructor(private readonly choose: Choose) {}

  /** Whether it was opened, as far as its client can tell. */
  abstract readonly isOpen: boolean;

  /** Opens it, and waits until it {@link isOpen}. */
  async open(): Promise<this> {
    this.#running = this.#keep();
    await until(
      () => this.isOpen,
      () => `a stream ${this.refusal}`,
      OPEN_MS,
    );
    return this;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#response?.destroy();
    await this.#running;
  }

  protected abstract buildRequest(): RawRequest;

  /** Takes an event, and tells whether it is one that was published. */
  protected abstract take(data: string, id: string | undefined): boolean;

  async #keep(): Promise<void> {
    while (!this.#isOver) {
      const url = this.choose();
      const response = await this.#request(url).catch(String);
      if (typeof response !== 'string') await this.#read(response, url);
      else {
        this.refusal = response;
        await delay(RETRY_MS);
      }
    }
  }

  async #read(response: IncomingMessage, url: string): Promise<void> {
    this.#response = response;
    this.url = url;
    this.openedAt = performance.now();
    this.heardAt = undefined;
    await readEvents(response, (data, id) => {
      if (this.take(data, id)) this.#noteHeard();
    });
  }

  #noteHeard(): void {
    const now = performance.now();
    this.heardAt ??= now;
    this.longestSilence = Math.max(this.longestSilence, now - (this.#heardLast ?? now));
    this.#heardLast = now;
  }

  async #request(url: string): Promise<IncomingMessage> {
    const response = await openHttp(url, this.buildRequest());
    if (response.statusCode === 200) return response;
    const { status, text } = await readResponse(response);
    throw new Error(`${status} ${text}`);
  }
}
