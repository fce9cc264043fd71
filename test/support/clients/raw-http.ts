import {
  request,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { connect } from 'node:net';
import { ANSWER_MS, within } from '../until.js';

/** A request exactly as it shall go over the wire. */
export interface RawRequest {
  /** @default 'POST' with a body, else 'GET' */
  readonly method?: string;
  /** Sent as they are, `Host` included; nothing is added but `Content-Length`, and a `Host` where none is given. */
  readonly headers?: OutgoingHttpHeaders;
  /** Bytes of the body. */
  readonly body?: string | Uint8Array;
  /** A value that is sent as JSON, with its content type. */
  readonly json?: unknown;
  readonly signal?: AbortSignal;
  /** Keeps connections. @default a connection of its own */
  readonly agent?: Agent;
}

/** A response that has been read to its end. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON. @throws SyntaxError where it is not */
  readonly json: unknown;
}

/** Sends a request and gives the response as soon as its head is there. */
export function openHttp(url: string, options: RawRequest = {}): Promise<IncomingMessage> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const headers: OutgoingHttpHeaders = {
    ...(options.json !== undefined && { 'content-type': 'application/json' }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: withLength(headers, body),
      setHost: !Object.keys(headers).some((name) => name.toLowerCase() === 'host'),
      agent: options.agent ?? false,
      ...(options.signal && { signal: options.signal }),
    });
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Sends a request and reads its response to the end. */
export async function sendHttp(url: string, options: RawRequest = {}): Promise<RawResponse> {
  const response = await within(openHttp(url, options), `an answer of ${url}`, ANSWER_MS);
  return readResponse(response);
}

/** Reads a response to its end. */
export async function readResponse(response: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  const read = async () => {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  };
  await within(read(), 'the end of a response', ANSWER_MS, () => chunks.length);
  const text = Buffer.concat(chunks).toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    get json(): unknown {
      return JSON.parse(text);
    },
  };
}

/** Writes bytes to a fresh connection and gives all that comes back until the server closes it. */
export async function sendBytes(port: number, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  const answered = new Promise<string>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.once('error', reject);
  });
  socket.write(bytes);
  const end = within(answered, 'the end of a connection', ANSWER_MS, () => chunks.length);
  return end.finally(() => socket.destroy());
}

function withLength(
  headers: OutgoingHttpHeaders,
  body: string | Uint8Array | undefined,
): OutgoingHttpHeaders {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (body === undefined || names.includes('content-length') || names.includes('transfer-encoding')) {
    return headers;
  }
  return { ...headers, 'content-length': Buffer.byteLength(body) };
}
