import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpExchange } from '../../../lib/server/transport/http/http-exchange.js';
import { openHttp } from '../../support/clients/raw-http.js';
import { within } from '../../support/until.js';

/** A request that has arrived, from both its sides. */
export interface ReceivedPost {
  readonly exchange: HttpExchange;
  readonly answer: Promise<IncomingMessage>;
  /** Breaks the connection off, and waits until the server has noticed. */
  readonly leave: () => Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A bare server of Node on a free port of 127.0.0.1: what comes in is for the test to answer. */
export class TestServer {
  readonly #server: Server;
  #handler: Handler = () => undefined;

  private constructor() {
    this.#server = createServer((request, response) => this.#handler(request, response));
  }

  static async start(): Promise<TestServer> {
    const started = new TestServer();
    started.#server.listen(0, '127.0.0.1');
    await once(started.#server, 'listening');
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** Answers every request from now on. */
  handle(handler: Handler): void {
    this.#handler = handler;
  }

  /** Waits for the next request and leaves it to the test. */
  nextExchange(): Promise<HttpExchange> {
    const exchange = new Promise<HttpExchange>((resolve) => {
      this.handle((request, response) => resolve(new HttpExchange(request, response, 60_000)));
    });
    return within(exchange, 'a request');
  }

  /** Has a POST arrive: how it stands here, what its client reads, and how that client goes away. */
  async receivePost(): Promise<ReceivedPost> {
    const arrived = this.nextExchange();
    const client = new AbortController();
    const opened = openHttp(this.url, { method: 'POST', body: '{}', signal: client.signal });
    const answer = within(opened, 'an answer');
    answer.catch(() => undefined);
    const exchange = await arrived;
    return { exchange, answer, leave: () => leave(exchange, client) };
  }

  /** Stops without waiting for connections. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await this.drain();
  }

  /** Stops as an application does: once every connection has come to its end. */
  async drain(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    await within(once(this.#server, 'close'), 'the end of the server');
  }
}

async function leave({ response }: HttpExchange, client: AbortController): Promise<void> {
  const closed = once(response, 'close');
  client.abort();
  await within(closed, 'the end of a connection');
}
