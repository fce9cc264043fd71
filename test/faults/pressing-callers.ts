import { Agent, request, type IncomingMessage } from 'node:http';
import { PER_REQUEST_VERSION } from '../support/clients/json-rpc.js';
import { metaKey, type Message } from '../support/clients/message.js';

const BODY = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'echo',
    arguments: { text: 'pressing' },
    _meta: { [metaKey('protocolVersion')]: PER_REQUEST_VERSION, [metaKey('clientCapabilities')]: {} },
  },
});

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': PER_REQUEST_VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
  'content-length': Buffer.byteLength(BODY),
};

/** What came of the calls of {@link PressingCallers}, counted. */
export interface Outcomes {
  /** Calls that gave what they were to give. */
  answered: number;
  /** Calls that were refused, or failed, with an error that says that the server is shutting down. */
  refused: number;
  /** Anything else. */
  readonly lost: string[];
}

/** Clients that call again as soon as they are answered, each over one connection until the server does not keep it. */
export class PressingCallers {
  readonly outcomes: Outcomes = { answered: 0, refused: 0, lost: [] };
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<void>[];
  #isOver = false;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.#running = Array.from({ length: connections }, () => this.#press());
  }

  /** Stops calling, and waits for the last answers. */
  async stop(): Promise<Outcomes> {
    this.#isOver = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
    return this.outcomes;
  }

  async #press(): Promise<void> {
    while (!this.#isOver) {
      const isOver = await this.#call();
      if (isOver) return;
    }
  }

  /** Makes a call; tells whether the connection is over. */
  #call(): Promise<boolean> {
    const { outcomes } = this;
    return new Promise((resolve) => {
      const sent = request(this.url, { method: 'POST', headers: HEADERS, agent: this.#agent });
      sent.once('response', (response) => resolve(this.#read(response)));
      sent.once('error', (error: NodeJS.ErrnoException) => {
        outcomes.lost.push(`${error.message}${sent.reusedSocket ? ' on a connection that was kept' : ''}`);
        resolve(true);
      });
      sent.end(BODY);
    });
  }

  async #read(response: IncomingMessage): Promise<boolean> {
    const { outcomes } = this;
    try {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      const { result, error } = JSON.parse(text) as Message;
      if (result !== undefined && result['isError'] !== true) outcomes.answered += 1;
      else if (/shutting down/.test(error?.message ?? '')) outcomes.refused += 1;
      else outcomes.lost.push(`${response.statusCode} ${text}`);
    } catch (error) {
      outcomes.lost.push(`${response.statusCode} ${String(error)}`);
    }
    return response.headers.connection === 'close';
  }
}
