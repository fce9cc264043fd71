import {
  ProbeError,
  type ProbeRequest,
  type ProbeResponse,
  type ProbeWire,
} from '../../../lib/core/doctor/probe/probe-wire.js';
import { ErrorCode } from '../../../lib/core/protocol/error-codes.js';
import { isObject, type JsonObject, parseJsonObject } from '../../../lib/core/protocol/json-rpc.js';
import { MetaKey } from '../../../lib/core/protocol/meta-keys.js';
import { NEWEST_HANDSHAKE_REVISION } from '../../../lib/core/protocol/revisions.js';

/** A duplex connection to a server. Each initialization uses a new one. */
export interface Channel {
  /** Opens the channel. */
  open(receive: (message: JsonObject) => void): Promise<void>;
  send(message: JsonObject): Promise<void>;
  /** Why no further response can arrive; absent while the channel works. */
  readonly failure: string | undefined;
  close(): Promise<void>;
}

/** The interval at which a pending request checks whether its channel has failed. */
const POLL_MS = 50;

/** Sends requests to a server over one channel, one at a time. */
class ChannelConnection {
  readonly #answers = new Map<unknown, (answer: JsonObject) => void>();
  #opened: Promise<void> | undefined;
  #lastId = 0;

  constructor(private readonly channel: Channel) {}

  /**
   * Sends a request and returns its response, with the request's original id.
   *
   * @throws {ProbeError} if no response arrives in time
   */
  async request(message: JsonObject, timeoutMs: number): Promise<JsonObject> {
    await this.#open();
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new Promise<JsonObject>((resolve) => this.#answers.set(id, resolve));
    await this.channel.send({ ...message, id });
    return { ...(await this.#await(answered, String(message['method']), timeoutMs)), id: message['id'] };
  }

  /** Sends a notification. */
  async notify(message: JsonObject): Promise<void> {
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
        const { failure } = this.channel;
        if (failure !== undefined) reject(new ProbeError(failure));
        const isLate = performance.now() - begun > timeoutMs;
        if (isLate) reject(new ProbeError(`did not respond to "${method}" within ${timeoutMs} ms`));
      }, POLL_MS);
    });
    try {
      return await Promise.race([answered, failed]);
    } finally {
      clearInterval(timer);
    }
  }
}

/**
 * Sends the doctor's requests over channels, such as a process's standard streams. Each initialization opens a new
 * channel, because a server accepts only one per connection. The newest revision's channel stays open; requests
 * without initialization share another one.
 */
export class ChannelWire implements ProbeWire {
  readonly #connections: ChannelConnection[] = [];
  #initialized: ChannelConnection | undefined;
  #perRequest: ChannelConnection | undefined;

  constructor(
    private readonly createChannel: () => Promise<Channel>,
    private readonly usualMs: number,
  ) {}

  readonly send = (
    _url: URL,
    { method, body, timeoutMs = this.usualMs }: ProbeRequest,
  ): Promise<ProbeResponse> => {
    const message = body === undefined ? undefined : parseJsonObject(body);
    if (method !== 'POST' || message === undefined) return Promise.resolve(build(405));
    return this.#exchange(message, timeoutMs);
  };

  readonly sendAuthorized = (url: URL, probe: ProbeRequest): Promise<ProbeResponse> => this.send(url, probe);

  /** Closes all channels. */
  async close(): Promise<void> {
    await Promise.all(this.#connections.map((one) => one.close()));
  }

  async #exchange(message: JsonObject, timeoutMs: number): Promise<ProbeResponse> {
    if (message['method'] === 'initialize') return build(200, await this.#initialize(message, timeoutMs));
    if (isPerRequest(message)) return build(200, await this.#requestAlone(message, timeoutMs));
    const { id } = message;
    const connection = (this.#initialized ??= await this.#begin());
    if (id !== undefined) return build(200, await connection.request(message, timeoutMs));
    await connection.notify(message);
    return build(202);
  }

  async #initialize(message: JsonObject, timeoutMs: number): Promise<JsonObject> {
    const connection = await this.#begin();
    const answer = await connection.request(message, timeoutMs);
    const { params } = message;
    const isNewest = isObject(params) && params['protocolVersion'] === NEWEST_HANDSHAKE_REVISION.version;
    if (!isNewest || answer['result'] === undefined) {
      await connection.close();
      return answer;
    }
    await connection.notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await this.#initialized?.close();
    this.#initialized = connection;
    return answer;
  }

  /** Servers before 2026-07-28 may ignore a request that precedes initialization, or exit. */
  async #requestAlone(message: JsonObject, timeoutMs: number): Promise<JsonObject> {
    this.#perRequest ??= await this.#begin();
    try {
      return await this.#perRequest.request(message, timeoutMs);
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      const said = { code: ErrorCode.MethodNotFound, message: error.message };
      return { jsonrpc: '2.0', id: message['id'], error: said };
    }
  }

  async #begin(): Promise<ChannelConnection> {
    const connection = new ChannelConnection(await this.createChannel());
    this.#connections.push(connection);
    return connection;
  }
}

function isPerRequest({ params }: JsonObject): boolean {
  return isObject(params) && isObject(params['_meta']) && MetaKey.protocolVersion in params['_meta'];
}

function build(status: number, message?: JsonObject): ProbeResponse {
  const body = message === undefined ? '' : JSON.stringify(message);
  const headers = message === undefined ? {} : { 'content-type': 'application/json' };
  return { status, headers, body, isComplete: true };
}
