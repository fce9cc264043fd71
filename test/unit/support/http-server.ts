import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpExchange } from '../../../lib/server/transport/http/http-exchange.js';
import { within } from '../../support/until.js';

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
