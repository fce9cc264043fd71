import { once } from 'node:events';
import {
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { PER_REQUEST_VERSION } from './json-rpc.js';
import { metaKey } from './message.js';
import { within } from '../until.js';

/** An answer over HTTP/2, once it is whole. */
export interface Http2Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const META = { [metaKey('protocolVersion')]: PER_REQUEST_VERSION, [metaKey('clientCapabilities')]: {} };

/** Calls tools over HTTP/2, in the revision without sessions. */
export class Http2Client {
  readonly #connection;

  constructor(url: string) {
    this.#connection = connect(url);
  }

  /** Begins a call whose body has no end, and gives its status and the code with which the server ends its stream. */
  async leaveOpen(body: string): Promise<{ readonly status: number | undefined; readonly code: number }> {
    const stream = this.#connection.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
    });
    let status: number | undefined;
    stream.on('response', (head) => (status = head[':status']));
    stream.on('error', () => undefined);
    stream.resume().write(body);
    await within(once(stream, 'close'), 'the end of a stream');
    return { status, code: stream.rstCode };
  }

  /** Calls a tool without arguments; reports of its progress come with the token 1. */
  async callTool(name: string, headers: OutgoingHttpHeaders = {}): Promise<Http2Answer> {
    const stream = this.#connection.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      'mcp-protocol-version': PER_REQUEST_VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    });
    let answered: IncomingHttpHeaders & IncomingHttpStatusHeader = {};
    stream.on('response', (head) => (answered = head));
    const params = { name, _meta: { ...META, progressToken: 1 } };
    stream.setEncoding('utf8').end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const text = await within(stream.toArray(), 'the end of a response');
    return { status: answered[':status'], headers: answered, text: text.join('') };
  }

  close(): void {
    this.#connection.destroy();
  }
}
