import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Where an application listened. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
}

/** Streams that wait for the application at once. */
const MOST_STREAMS = 1000;

const RESTARTING = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32603, message: 'The application is being restarted: try again' },
});

/**
 * Keeps the port of an application while it is away. Clients try twice to take their stream up again, and then give up: here they find a
 * stream, which ends when the application is back. Everything else is answered with 503.
 */
export class KeptPort {
  #server: Server | undefined;
  readonly #streams = new Set<ServerResponse>();
  /** Those that are open, also to servers that have let the port go. */
  readonly #sockets = new Set<Socket>();

  /** Whether the port is kept at the moment. */
  get isKept(): boolean {
    return this.#server !== undefined;
  }

  /** Keeps a port, if it is free. */
  keep({ host, port }: ListeningPlace): void {
    if (this.#server !== undefined) return;
    const server = createServer((request, response) => {
      const wantsStream =
        request.method === 'GET' && /\btext\/event-stream\b/.test(request.headers.accept ?? '');
      // A connection may be older than its first request: by then the application may be back, and nobody would end the stream.
      const isAway = this.#server === server;
      if (wantsStream && isAway && this.#streams.size < MOST_STREAMS) return this.#hold(response);
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
    // Somebody else was faster, or the application has not quite left: clients find out by themselves.
    server.once('error', () => this.#forget(server));
    server.listen({ host, port, exclusive: true });
  }

  /** Lets the port go, so that the application can have it; streams go on to wait for it. */
  async release(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#forget(server);
    server.close();
    server.closeIdleConnections();
    await setImmediate();
  }

  /** Ends the streams, so that their clients come to the application. */
  handOver(): void {
    for (const response of this.#streams) response.end();
  }

  /** Ends everything. */
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
