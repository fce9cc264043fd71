import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../../../core/logger/logger.js';
import { RefusalLog } from '../../../log/refusal-log.js';
import { LocalBus } from '../../../cluster/local-bus.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';

/** Requests that may wait on one connection behind another. Clients of this protocol send one after the other. */
const MOST_WAITING = 64;

const LINE =
  `A connection was closed on which more than ${MOST_WAITING} requests waited behind another: ` +
  'see which client sends them without waiting for answers';

/** The servers that are watched: several MCP servers of one application watch it once. */
const watched = new WeakSet<object>();

/**
 * Closes a connection on which too many requests wait for the answer to an earlier one. Node takes as many of them as come, and keeps them
 * until that is sent: a client could open one stream, and have thousands wait behind it. They cannot be refused, since their answers would
 * wait too. Over HTTP/2 nothing waits for the answers of others.
 */
function limitPipelining(server: Partial<Pick<Server, 'prependListener'>>): void {
  if (watched.has(server)) return;
  watched.add(server);
  const log = new RefusalLog(new Logger('McpHttpTransport'));
  const waiting = new WeakMap<Socket, number>();
  server.prependListener?.('request', (request: IncomingMessage, response: ServerResponse) => {
    // Node gives it the socket once its turn comes.
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

/** Clients that have sent nothing for so long are not about to. */
const QUIET_MS = 100;

/** Clients that never stop are not waited for longer. */
const LONGEST_MS = 2000;

/** How often it is looked what has become quiet or idle. */
const PERIOD_MS = 20;

/** Looks in a row between which no request came. The clock says less: after a stall what clients have sent is still unread. */
const QUIET_LOOKS = QUIET_MS / PERIOD_MS;

/** What is needed of the application's server; one of HTTP/2 has no idle connections to close. */
type HttpServer = Pick<Server, 'listening' | 'prependListener' | 'once' | 'getConnections'> &
  Partial<Pick<Server, 'closeIdleConnections' | 'on'>>;

/** What has been heard of each server's connections; several MCP servers of one application listen once. */
const silent = new WeakMap<HttpServer, SilentConnections>();

/** The servers whose connections are for one request more, and no further. */
const closing = new WeakSet<HttpServer>();

/** What several MCP servers of one application share: they wait for the same clients, and together. */
const releases = new WeakMap<HttpServer, Promise<void>>();

/** Lets connections of the application's HTTP server end that clients would keep for further requests. */
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

  /** Keeps no connection from now on: each ends with the answer to its next request. */
  disableKeepAlive(): void {
    const server = this.#findServer();
    if (server?.listening !== true || closing.has(server)) return;
    closing.add(server);
    server.prependListener('request', (_request: unknown, response: ServerResponse) => {
      response.shouldKeepAlive = false;
    });
  }

  /**
   * Refuses new connections if other processes may take them. A balancer without health checks then tries those, instead of
   * passing a refusal on to the client. Connections that are open stay open.
   */
  stopAccepting(): void {
    const server = this.#findServer();
    if (server?.listening !== true || !this.bus.isShared) return;
    this.disableKeepAlive();
    // This runs after waiting connections are accepted. It does not use the close of an HTTP server, which ends connections
    // on which a request may be on its way.
    setImmediate(() => NetServer.prototype.close.call(server));
  }

  /**
   * Keeps no connection from now on, and waits a moment for clients that are about to send a request: they get an answer
   * instead of a connection that breaks. Afterwards the server can close. Without this, Node would wait for as long as a client
   * sends one request after the other.
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

/** A server's connections come by the one event, and by the other once they are encrypted. */
const EVENTS = ['connection', 'secureConnection'] as const;

/** How often it is looked which have begun to speak, or are gone: nothing else is done for a connection. */
const LOOK_MS = 1000;

/**
 * Knows the connections of a server that have carried nothing yet. Some clients open spare connections (undici does if a
 * stream is aborted). For Node these are not idle, so a closing server would wait for them without a time-out.
 */
export class SilentConnections {
  /** When each of them came. */
  readonly #since = new Map<Socket, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Partial<Pick<Server, 'on'>>) {
    for (const event of EVENTS) server.on?.(event, (socket: Socket) => this.#add(socket));
  }

  /** Ends those over which nothing has come for so long: what is on its way has the time to arrive. */
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
