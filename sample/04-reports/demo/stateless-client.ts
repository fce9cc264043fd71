import { findResult, readMessages, type Message } from './messages.js';

const VERSION = '2026-07-28';

/** What the client says with each request, since nothing is kept between them. */
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'demo', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {}, 'com.example/report-archive': {} },
  },
};

/** A client of 2026-07-28 that takes tasks and knows the archive, for which the official one has no calls. */
export class StatelessClient {
  #lastId = 0;

  constructor(
    private readonly url: URL,
    private readonly token: string,
  ) {}

  /** Makes a request and gives its result. */
  request<Result>(method: string, params: Record<string, unknown>): Promise<Result> {
    return findResult(this.open(method, params));
  }

  /** Makes a request and gives all that comes back, until the server or the signal ends it. */
  async *open(
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
  ): AsyncGenerator<Message> {
    this.#lastId += 1;
    const message = { jsonrpc: '2.0', id: this.#lastId, method, params: { ...params, _meta: META } };
    const { taskId, name = taskId } = params;
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
      },
      body: JSON.stringify(message),
      ...(signal && { signal }),
    });
    yield* readMessages(response);
  }
}
