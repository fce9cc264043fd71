import type { OutgoingHttpHeaders } from 'node:http';
import { EventStream } from './event-stream.js';
import { metaKey, type JsonObject, type Message } from './message.js';
import { openHttp, readResponse, sendHttp, type RawResponse } from './raw-http.js';

const CLIENT_INFO = { name: 'e2e', version: '1.0.0' };

let lastId = 0;

interface HandshakeOptions {
  /** @default '2024-11-05' */
  readonly version?: string;
  readonly capabilities?: JsonObject;
}

/** A client of the HTTP+SSE transport: all answers come on its stream. */
export class SseClient {
  private constructor(
    readonly stream: EventStream,
    /** Where it posts. */
    readonly endpoint: string,
    readonly headers: OutgoingHttpHeaders,
  ) {}

  /**
   * Opens the stream and reads where to post.
   *
   * @throws Error where the answer is no stream, or its first event another
   */
  static async open(url: string, headers: OutgoingHttpHeaders = {}): Promise<SseClient> {
    const response = await openHttp(url, { headers: { accept: 'text/event-stream', ...headers } });
    if (response.statusCode !== 200) {
      const { status, text } = await readResponse(response);
      throw new Error(`The stream was answered with ${status} ${text}`);
    }
    const stream = new EventStream(response);
    const { event, data = '' } = await stream.next();
    if (event !== 'endpoint') throw new Error(`Expected the endpoint first, got ${event}: ${data}`);
    return new SseClient(stream, new URL(data, url).href, headers);
  }

  /** Opens the stream and shakes hands. */
  static async connect(
    url: string,
    { headers = {}, ...handshake }: HandshakeOptions & { readonly headers?: OutgoingHttpHeaders } = {},
  ): Promise<SseClient> {
    const client = await SseClient.open(url, headers);
    await client.initialize(handshake);
    return client;
  }

  async initialize({ version = '2024-11-05', capabilities = {} }: HandshakeOptions = {}): Promise<Message> {
    const params = { protocolVersion: version, capabilities, clientInfo: CLIENT_INFO };
    const response = await this.request('initialize', params);
    await this.notify('notifications/initialized');
    return response;
  }

  /** Posts any JSON. */
  post(json: unknown, headers: OutgoingHttpHeaders = {}): Promise<RawResponse> {
    return sendHttp(this.endpoint, { json, headers: { ...this.headers, ...headers } });
  }

  notify(method: string, params?: JsonObject): Promise<RawResponse> {
    return this.post({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Posts a request and gives its id. */
  async send(method: string, params: JsonObject = {}): Promise<number> {
    const id = ++lastId;
    const { status, text } = await this.post({ jsonrpc: '2.0', id, method, params });
    if (status !== 202) throw new Error(`The request was answered with ${status} ${text}`);
    return id;
  }

  /** Posts a request and waits for its response on the stream. */
  async request(method: string, params: JsonObject = {}): Promise<Message> {
    return this.response(await this.send(method, params));
  }

  /** Waits for the response to a request. */
  response(id: number | string): Promise<Message> {
    return this.stream.nextMessage((message) => message.id === id && message.method === undefined);
  }

  /** Calls a tool and gives the text of its result. */
  async callTool(name: string, given: JsonObject = {}): Promise<string> {
    const { result, error } = await this.request('tools/call', { name, arguments: given });
    if (result === undefined) throw new Error(`Expected a result, got ${JSON.stringify(error)}`);
    return (result['content'] as { text: string }[])[0]?.text ?? '';
  }

  /** Closes the stream, as a client that goes away does. */
  close(): Promise<void> {
    return this.stream.close();
  }
}

/** What a request of 2026-07-28 says of its sender. */
export function claimOf(capabilities: JsonObject = {}): JsonObject {
  return {
    [metaKey('protocolVersion')]: '2026-07-28',
    [metaKey('clientCapabilities')]: capabilities,
    [metaKey('clientInfo')]: CLIENT_INFO,
  };
}
