import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import type { JsonObject } from '../../../lib/core/protocol/parse-json-object.js';
import { ProbeError } from '../../../lib/core/doctor/probe/probe.error.js';
import type { Channel } from './channel.interface.js';

/** How often it is looked whether a channel has ended while an answer is awaited. */
const LOOK_MS = 50;

/** Asks a server one question after another over one channel. */
export class ChannelConversation {
  readonly #answers = new Map<unknown, (answer: JsonObject) => void>();
  #opened: Promise<void> | undefined;
  #lastId = 0;

  constructor(private readonly channel: Channel) {}

  /**
   * Sends a request and gives its answer, under the id that the request has.
   *
   * @throws {ProbeError} if none comes in time
   */
  async ask(message: JsonObject, timeoutMs: number): Promise<JsonObject> {
    await this.#open();
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<JsonObject>((resolve) => this.#answers.set(id, resolve));
    await this.channel.send({ ...message, id });
    return { ...(await this.#await(answered, String(message['method']), timeoutMs)), id: message['id'] };
  }

  /** Sends what has no answer. */
  async tell(message: JsonObject): Promise<void> {
    await this.#open();
    await this.channel.send(message);
  }

  close(): Promise<void> {
    return this.channel.close();
  }

  #open(): Promise<void> {
    return (this.#opened ??= this.channel.open((message) => this.#receive(message)));
  }

  #receive(message: JsonObject): void {
    const isAnswer = 'result' in message || isObject(message['error']);
    if (isAnswer) this.#answers.get(message['id'])?.(message);
  }

  async #await(answered: Promise<JsonObject>, method: string, timeoutMs: number): Promise<JsonObject> {
    let timer: NodeJS.Timeout | undefined;
    const begun = performance.now();
    const failed = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        const { fault } = this.channel;
        if (fault !== undefined) reject(new ProbeError(fault));
        const isLate = performance.now() - begun > timeoutMs;
        if (isLate) reject(new ProbeError(`did not answer "${method}" within ${timeoutMs} ms`));
      }, LOOK_MS);
    });
    try {
      return await Promise.race([answered, failed]);
    } finally {
      clearInterval(timer);
    }
  }
}
