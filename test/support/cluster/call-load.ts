import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../clients/call.js';
import { initialize, perRequest } from '../clients/json-rpc.js';
import type { JsonObject } from '../clients/message.js';
import { textOfCall } from '../clients/tools.js';
import { until } from '../until.js';

const LONG_MS = 30_000;
/** What the processes have to themselves between two calls of a client. */
const PAUSE_MS = 10;

export interface LoadParts {
  /** @default 6 */
  readonly workers?: number;
  /** How often a call is made again that failed, beside those that failed while something ended. @default 1 */
  readonly repeats?: number;
  /** A tool that takes no arguments. @default 'where' */
  readonly tool?: string;
}

/** Clients that call a tool again and again: one half in a session each, the other without one. */
export class CallLoad {
  /** What the calls gave. */
  readonly texts: string[] = [];
  /** What the calls failed for that were made again. */
  readonly repeated: string[] = [];
  /** What the calls failed for that were not. */
  readonly failures: string[] = [];
  #isOver = false;
  /** What ends now, and what has ended so far. */
  #ending = 0;
  #ended = 0;
  #running: readonly Promise<void>[] = [];

  private constructor(private readonly parts: Required<LoadParts>) {}

  static async start(url: string, parts: LoadParts = {}): Promise<CallLoad> {
    const load = new CallLoad({ workers: 6, repeats: 1, tool: 'where', ...parts });
    const clients = await Promise.all(
      Array.from({ length: load.parts.workers }, async (_, index) =>
        index % 2 === 0 ? initialize(url) : perRequest(url),
      ),
    );
    load.#running = clients.map((client) => load.#work(client));
    return load;
  }

  /** Waits for so many more calls, or at least a few of each worker. */
  async goOn(count = this.parts.workers * 3): Promise<void> {
    const aim = this.texts.length + count;
    await until(() => this.texts.length >= aim || this.failures.length > 0, 'calls', LONG_MS);
  }

  /**
   * Waits for the end of something, such as a process that is killed: until then a balancer may send it a call again and
   * again, so calls that began before are made again as often as they fail.
   */
  async allowFailuresDuring(end: () => Promise<unknown>): Promise<void> {
    this.#ending += 1;
    await end().finally(() => {
      this.#ending -= 1;
      this.#ended += 1;
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #work(client: Client): Promise<void> {
    while (!this.#isOver) {
      await this.#call(client, this.parts.repeats);
      await delay(PAUSE_MS);
    }
  }

  async #call(client: Client, repeats: number): Promise<void> {
    const ended = this.#ended;
    try {
      const { status, response, result } = await client.request('tools/call', { name: this.parts.tool });
      if (result === undefined) throw new Error(`${status} ${JSON.stringify(response)}`);
      this.texts.push(textOfCall(result));
    } catch (error) {
      const isAllowed = this.#ending > 0 || this.#ended > ended;
      const isRepeated = isAllowed || repeats > 0;
      (isRepeated ? this.repeated : this.failures).push(String(error));
      if (isRepeated && !this.#isOver) await this.#call(client, isAllowed ? repeats : repeats - 1);
    }
  }
}

interface Client {
  request(method: string, params: JsonObject): Promise<Answer>;
}
