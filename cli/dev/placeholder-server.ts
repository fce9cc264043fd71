import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** An address that an application listened on. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The maximum number of streams that wait for the application. */
const MOST_STREAMS = 1000;

const RESTARTING = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32603, message: 'The application is restarting: try again' },
});

/**
 * Listens on an application's port while it restarts. Clients reconnect a stream only twice before they give up.
 * Here, they receive a stream that ends when the application has restarted. All other requests are rejected with
 * status 503.
 */
export class PlaceholderServer {
  #server: Server | undefined;
  readonly #streams = new Set<ServerResponse>();
  /** All open sockets, including sockets of servers that have released the port. */
  readonly #sockets = new Set<Socket>();

  /** Whether it listens. */
  get isListening(): boolean {
    return this.#server !== undefined;
  }

  /** Listens on an address, if its port is free. */
  listen({ host, port }: ListenAddress): void {
    if (this.#server !== undefined) return;
    const server = createServer((request, response) => {
      const wantsStream =
        request.method === 'GET' && /\btext\/event-stream\b/.test(request.headers.accept ?? '');
      // The application may have restarted between the connection and its first request, in which case nothing would end
      // such a stream.
      const isWaiting = this.#server === server;
      if (wantsStream && isWaiting && this.#streams.size < MOST_STREAMS) return this.#hold(response);
      request.resume();
      response.writeHead(503, {
        'Content-Type': 'application/json',
        'Retry-After': '1',
        Connection: 'close',
      });
      return response.end(RESTARTING);
    });
    server.requestTimeout = 0;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server = server;
    // Another process is listening there, or the application has not exited yet, which clients notice themselves.
    server.once('error', () => this.#forget(server));
    server.listen({ host, port, exclusive: true });
  }

  /** Releases the port for the application. Open streams continue to wait for it. */
  async release(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#forget(server);
    server.close();
    server.closeIdleConnections();
    await setImmediate();
  }

  /** Ends the streams, so that their clients reconnect to the application. */
  endStreams(): void {
    for (const response of this.#streams) response.end();
  }

  /** Stops listening and closes all sockets. */
  close(): void {
    const server = this.#server;
    this.#server = undefined;
    server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #forget(server: Server): void {
    if (this.#server === server) this.#server = undefined;
  }

  #hold(response: ServerResponse): void {
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      Connection: 'close',
    });
    response.flushHeaders();
  }
}
