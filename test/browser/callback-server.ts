import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/until.js';

const PATIENCE_MS = 20_000;

/** The port of a client on the user's machine that waits for the browser to come back from the authorization server. */
export class CallbackServer {
  readonly #answers: URLSearchParams[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', ({ url: path = '' }, response) => {
      const address = new URL(path, url);
      if (address.pathname === '/callback') this.#answers.push(address.searchParams);
      response.setHeader('content-type', 'text/plain').end('You may close this window.');
    });
  }

  static async start(): Promise<CallbackServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new CallbackServer(server, `http://127.0.0.1:${port}/callback`);
  }

  /** Waits for the browser, and gives what the authorization server sent along. */
  async nextAnswer(): Promise<URLSearchParams> {
    await until(() => this.#answers.length > 0, 'the browser to come back', PATIENCE_MS);
    return this.#answers.shift()!;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}
