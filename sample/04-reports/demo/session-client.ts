import { findResult, readMessages, type Message } from './messages.js';

const VERSION = '2025-11-25';
const CAPABILITIES = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A client of 2025-11-25 that declared the tasks extension when it connected: its session hears how tasks go. */
export class SessionClient {
  #lastId = 0;
  #sessionId = '';

  private constructor(
    private readonly url: URL,
    private readonly token: string,
  ) {}

  static async connect(url: URL, token: string): Promise<SessionClient> {
    const client = new SessionClient(url, token);
    await client.request('initialize', {
      protocolVersion: VERSION,
      capabilities: CAPABILITIES,
      clientInfo: { name: 'demo', version: '1.0.0' },
    });
    await client.#send('POST', { method: 'notifications/initialized' });
    return client;
  }

  /** Makes a request and gives its result. */
  async request<Result>(method: string, params: Record<string, unknown>): Promise<Result> {
    this.#lastId += 1;
    const response = await this.#send('POST', { id: this.#lastId, method, params });
    this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId;
    return findResult(readMessages(response));
  }

  /** Opens the stream of the session, and gives what is told there. */
  async listen(signal: AbortSignal): Promise<AsyncGenerator<Message>> {
    return readMessages(await this.#send('GET', undefined, signal));
  }

  /** Ends the session. */
  async close(): Promise<void> {
    await this.#send('DELETE');
  }

  #send(method: string, message?: object, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        ...(this.#sessionId !== '' && { 'mcp-session-id': this.#sessionId }),
      },
      ...(message && { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
      ...(signal && { signal }),
    });
  }
}
