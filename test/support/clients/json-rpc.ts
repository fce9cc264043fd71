import type { Agent, OutgoingHttpHeaders } from 'node:http';
import { Call, type Answer } from './call.js';
import { EventStream } from './event-stream.js';
import { metaKey, type JsonObject } from './message.js';
import { openHttp, readResponse, sendHttp, type RawResponse } from './raw-http.js';

export const HANDSHAKE_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const PER_REQUEST_VERSION = '2026-07-28';

const ACCEPT = 'application/json, text/event-stream';
const CLIENT_INFO = { name: 'e2e', version: '1.0.0' };
/** Revisions whose clients send `MCP-Protocol-Version`. */
const VERSION_HEADER_FROM = '2025-06-18';

/** The parameters that the header `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

let lastId = 0;

/** Sends any JSON as the body of a POST with the headers that every MCP request has. */
export function post(url: string, json: unknown, headers: OutgoingHttpHeaders = {}): Promise<RawResponse> {
  return sendHttp(url, { json, headers: { accept: ACCEPT, ...headers } });
}

interface InitializeOptions {
  /** @default '2025-11-25' */
  readonly version?: string;
  readonly capabilities?: JsonObject;
  readonly headers?: OutgoingHttpHeaders;
  /** Whether to confirm the handshake with `notifications/initialized`. @default true */
  readonly confirm?: boolean;
}

/** Builds the request that opens a session, for tests that post it themselves. */
export function buildInitialize({
  version = '2025-11-25',
  capabilities = {},
}: Pick<InitializeOptions, 'version' | 'capabilities'> = {}) {
  const params = { protocolVersion: version, capabilities, clientInfo: CLIENT_INFO };
  return { jsonrpc: '2.0', id: 1, method: 'initialize', params };
}

/** Makes the handshake and gives the session. */
export async function initialize(url: string, options: InitializeOptions = {}): Promise<SessionClient> {
  const { headers = {}, confirm = true } = options;
  const id = ++lastId;
  const call = new Call(url, postOf({ ...buildInitialize(options), id }, headers), id);
  const answer = await call.answer();
  if (answer.result === undefined) {
    throw new Error(`The handshake was answered with ${answer.status} ${JSON.stringify(answer.response)}`);
  }
  const session = new SessionClient(url, answer, headers);
  if (confirm) await session.notify('notifications/initialized');
  return session;
}

/** A session over the handshake revisions. */
export class SessionClient {
  /** The session id; empty where the server gave none. */
  readonly id: string;
  /** The version that the server chose. */
  readonly version: string;
  /** The result of `initialize`. */
  readonly result: JsonObject;

  constructor(
    readonly url: string,
    readonly handshake: Answer,
    readonly extraHeaders: OutgoingHttpHeaders,
  ) {
    this.id = handshake.headers['mcp-session-id']?.toString() ?? '';
    this.result = handshake.result ?? {};
    this.version = String(this.result['protocolVersion']);
  }

  /** The same session at another address, such as that of another process of its server. */
  at(url: string): SessionClient {
    return new SessionClient(url, this.handshake, this.extraHeaders);
  }

  /** The headers of every request of the session. */
  get headers(): OutgoingHttpHeaders {
    return {
      ...(this.id !== '' && { 'mcp-session-id': this.id }),
      ...(this.version >= VERSION_HEADER_FROM && { 'mcp-protocol-version': this.version }),
      ...this.extraHeaders,
    };
  }

  /** Sends a request and waits for all of its answer. */
  request(method: string, params?: JsonObject, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.start(method, params, headers).answer();
  }

  /** Sends a request and does not wait. */
  start(method: string, params?: JsonObject, headers: OutgoingHttpHeaders = {}): Call {
    const id = ++lastId;
    return new Call(this.url, postOf({ id, method, params }, { ...this.headers, ...headers }), id);
  }

  notify(method: string, params?: JsonObject): Promise<RawResponse> {
    return this.post({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** Sends any JSON within the session. */
  post(json: unknown, headers: OutgoingHttpHeaders = {}): Promise<RawResponse> {
    return post(this.url, json, { ...this.headers, ...headers });
  }

  /** Opens the standing stream, or takes a lost one up again. */
  async openStream({ lastEventId }: { lastEventId?: string | undefined } = {}): Promise<EventStream> {
    const response = await openHttp(this.url, {
      headers: {
        accept: 'text/event-stream',
        ...this.headers,
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
      },
    });
    if (response.statusCode === 200) return new EventStream(response);
    const { status, text } = await readResponse(response);
    throw new Error(`The stream was answered with ${status} ${text}`);
  }

  delete(headers: OutgoingHttpHeaders = {}): Promise<RawResponse> {
    return sendHttp(this.url, { method: 'DELETE', headers: { ...this.headers, ...headers } });
  }
}

interface PerRequestOptions {
  /** Put over the right ones; `undefined` leaves one out. */
  readonly headers?: OutgoingHttpHeaders;
  /** Put over the right `_meta`; `undefined` leaves a key out. */
  readonly meta?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly id?: string | number;
  /** Keeps connections. @default a connection of its own for each request */
  readonly agent?: Agent;
}

/** A client of the stateless wire. */
export interface PerRequestClient {
  readonly url: string;
  /** Sends a request and waits for all of its answer. */
  request(method: string, params?: JsonObject, options?: PerRequestOptions): Promise<Answer>;
  /** Sends a request and does not wait. */
  start(method: string, params?: JsonObject, options?: PerRequestOptions): Call;
  /** Opens a stream of `subscriptions/listen` and waits for its acknowledgement. */
  listen(notifications: JsonObject, options?: PerRequestOptions): Promise<EventStream>;
}

/** Makes a client that declares itself in every request (MCP 2026-07-28). */
export function perRequest(url: string, defaults: PerRequestOptions = {}): PerRequestClient {
  const start = (method: string, params: JsonObject = {}, options: PerRequestOptions = {}) => {
    const id = options.id ?? ++lastId;
    const meta = { ...buildMeta({ ...defaults, ...options }), ...defaults.meta, ...options.meta };
    const headers = { ...buildHeaders(method, params), ...defaults.headers, ...options.headers };
    const message = { id, method, params: { ...params, _meta: { ...(params['_meta'] as object), ...meta } } };
    const { agent } = { ...defaults, ...options };
    return new Call(url, { ...postOf(message, headers), ...(agent && { agent }) }, id);
  };
  return {
    url,
    start,
    request: (method, params, options) => start(method, params, options).answer(),
    listen: async (notifications, options) => {
      const stream = await start('subscriptions/listen', { notifications }, options).stream();
      await stream.nextNotification('notifications/subscriptions/acknowledged');
      return stream;
    },
  };
}

function buildMeta({ capabilities = {} }: PerRequestOptions): JsonObject {
  return {
    [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
    [metaKey('clientCapabilities')]: capabilities,
    [metaKey('clientInfo')]: CLIENT_INFO,
  };
}

function buildHeaders(method: string, params: JsonObject): OutgoingHttpHeaders {
  const name = params[NAMED_BY[method] ?? ''];
  return {
    'mcp-protocol-version': PER_REQUEST_VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': formatHeaderValue(name) }),
  };
}

/** Formats a header value, as base64 where it has characters that a header may not carry plainly. */
export function formatHeaderValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?');
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function postOf(message: JsonObject, headers: OutgoingHttpHeaders) {
  const given = Object.entries({ accept: ACCEPT, ...headers }).filter(([, value]) => value !== undefined);
  return { json: { jsonrpc: '2.0', ...message }, headers: Object.fromEntries(given) };
}
