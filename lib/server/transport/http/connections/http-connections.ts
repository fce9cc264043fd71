import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../../../core/logger/logger.js';
import { RefusalLog } from '../../../log/refusal-log.js';
import { LocalBus } from '../../../cluster/local-bus.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';

/** The maximum number of requests that may be pipelined on one connection. MCP clients do not pipeline. */
const MOST_WAITING = 64;

const LINE =
  `A connection was closed because more than ${MOST_WAITING} requests were queued behind another: ` +
  'find out which client sends requests without waiting for responses';

/** Watched HTTP servers; an application's MCP servers share theirs. */
const watched = new WeakSet<object>();

/**
 * Closes a connection with too many pipelined requests. Node accepts any number of them and retains them until the
 * earlier response is sent, so a client could open one stream and queue thousands of requests behind it. They cannot
 * be rejected, because those responses would have to wait too. HTTP/2 has no such queue.
 */
function limitPipelining(server: Partial<Pick<Server, 'prependListener'>>): void {
  if (watched.has(server)) return;
  watched.add(server);
  const log = new RefusalLog(new Logger('McpHttpTransport'));
  const waiting = new WeakMap<Socket, number>();
  server.prependListener?.('request', (request: IncomingMessage, response: ServerResponse) => {
    // Node assigns the socket when it is this response's turn.
    if (response.socket !== null) return;
    const { socket, headers } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1));
    if (count <= MOST_WAITING || socket.destroyed) return;
    log.warn(LINE, { http: { headers, request } });
    socket.destroy();
  });
}

/** A client that was silent for this long is not about to send a request. */
const QUIET_MS = 100;

/** The maximum wait for clients that never stop sending. */
const LONGEST_MS = 2000;

/** The interval between checks for quiet and idle connections. */
const PERIOD_MS = 20;

/**
 * The number of consecutive checks without a request. Time alone is unreliable, because requests may still be unread
 * after a stall.
 */
const QUIET_LOOKS = QUIET_MS / PERIOD_MS;

/** The parts of an HTTP server used here; HTTP/2 servers cannot close idle connections. */
type HttpServer = Pick<Server, 'listening' | 'prependListener' | 'once' | 'getConnections'> &
  Partial<Pick<Server, 'closeIdleConnections' | 'on'>>;

/** The silent connections of each HTTP server; an application's MCP servers share them. */
const silent = new WeakMap<HttpServer, SilentConnections>();

/** Servers that close each connection after its next response. */
const closing = new WeakSet<HttpServer>();

/** Pending releases; an application's MCP servers wait together. */
const releases = new WeakMap<HttpServer, Promise<void>>();

/** Closes keep-alive connections of the application's HTTP server. */
export class HttpConnections implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly bus: ClusterBus = new LocalBus(),
  ) {}

  onModuleInit(): void {
    const server = this.#findServer();
    if (typeof server !== 'object' || server === null) return;
    getSilent(server);
    limitPipelining(server);
  }

  /** Closes each connection after the response to its next request. */
  disableKeepAlive(): void {
    const server = this.#findServer();
    if (server?.listening !== true || closing.has(server)) return;
    closing.add(server);
    server.prependListener('request', (_request: unknown, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
  }

  /**
   * Stops accepting connections if there are other processes. A load balancer without health checks then tries those
   * processes instead of passing an error on to the client. Open connections stay open.
   */
  stopAccepting(): void {
    const server = this.#findServer();
    if (server?.listening !== true || !this.bus.isShared) return;
    this.disableKeepAlive();
    // Runs after pending connections are accepted. An HTTP server's `close()` would also end connections on which a
    // request may be on its way.
    setImmediate(() => NetServer.prototype.close.call(server));
  }

  /**
   * Disables keep-alive and waits briefly for clients that are about to send a request, so that they get a response
   * instead of a broken connection. After that, the server can close. Otherwise, Node would wait for as long as a
   * client keeps sending requests.
   *
   * @see RFC 9112 §9.6
   */
  async release(): Promise<void> {
    const server = this.#findServer();
    if (server === undefined || server === null || !(server.listening || closing.has(server))) return;
    this.disableKeepAlive();
    const release = releases.get(server) ?? releaseAll(server);
    releases.set(server, release);
    await release;
  }

  #findServer(): HttpServer | null | undefined {
    return this.host.httpAdapter?.getHttpServer() as HttpServer | null | undefined;
  }
}

function getSilent(server: HttpServer): SilentConnections {
  const present = silent.get(server) ?? new SilentConnections(server);
  silent.set(server, present);
  return present;
}

async function releaseAll(server: HttpServer): Promise<void> {
  let looks = 0;
  server.prependListener('request', () => {
    looks = 0;
  });
  await waitFor(async () => {
    looks += 1;
    return looks > QUIET_LOOKS || !(await hasConnections(server));
  });
  server.once('close', () => clearInterval(timer));
  const timer = setInterval(() => {
    getSilent(server).end(QUIET_MS);
    server.closeIdleConnections?.();
  }, PERIOD_MS).unref();
}

async function waitFor(isOver: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await isOver()) && performance.now() < deadline) await delay(PERIOD_MS);
}

function hasConnections(server: HttpServer): Promise<boolean> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count > 0)));
}

/** Emitted for both plain and encrypted connections. */
const EVENTS = ['connection', 'secureConnection'] as const;

/**
 * The interval at which connections that have received bytes or are closed are removed; nothing runs per connection.
 */
const LOOK_MS = 1000;

/**
 * Tracks connections that have received nothing yet. Some clients open spare connections (undici does after an aborted
 * stream). Node does not consider them idle, so a closing server would wait for them without a timeout.
 */
export class SilentConnections {
  /** When each connection was opened. */
  readonly #since = new Map<Socket, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Partial<Pick<Server, 'on'>>) {
    for (const event of EVENTS) server.on?.(event, (socket: Socket) => this.#add(socket));
  }

  /** Destroys connections that have received nothing for this long, so that bytes in flight have time to arrive. */
  end(quietMs: number): void {
    const latest = performance.now() - quietMs;
    this.#look();
    for (const [socket, since] of this.#since) if (since < latest) socket.destroy();
  }

  #add(socket: Socket): void {
    this.#since.set(socket, performance.now());
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
  }

  #look(): void {
    for (const socket of this.#since.keys()) {
      if (socket.bytesRead > 0 || socket.destroyed) this.#since.delete(socket);
    }
    if (this.#since.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
