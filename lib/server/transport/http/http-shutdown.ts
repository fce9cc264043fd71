import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { RequestDispatcher } from '../../dispatch/request-dispatcher.js';
import type { ListenerRegistry } from '../../notifications/listener-registry.js';
import { LocalBus } from '../../cluster/local-bus.js';
import type { StatelessRequests } from '../../sessions/in-flight-requests.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import { StreamArchive } from './cluster/call-records.js';
import type { EventStreams } from './streams/event-streams.js';
import type { HttpConnections } from './connections/http-connections.js';
import type { Uploads } from './bodies/uploads.js';
import type { DrainedPart, Draining } from '../../shutdown/draining.js';
import type { SseConnections } from '../sse/sse-connections.js';

/** What is open over HTTP until the server ends. */
interface OpenWork {
  readonly dispatcher: RequestDispatcher;
  readonly listeners: ListenerRegistry;
  readonly detached: StatelessRequests;
  readonly sessions: SessionRegistry;
  readonly streams: EventStreams;
  readonly connections: HttpConnections;
}

/**
 * Refuses further requests and ends everything that is open, in an order in which clients lose nothing. Subscriptions end
 * with their result, bodies that are not whole and running calls with an error. Then streams and sessions end.
 */
export class HttpShutdown implements BeforeApplicationShutdown {
  constructor(
    private readonly open: OpenWork,
    private readonly uploads: Uploads,
    private readonly handOver: StreamArchive = new StreamArchive(new LocalBus(), open.sessions),
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.open.dispatcher.close();
    this.open.connections.stopAccepting();
    this.open.listeners.close();
    await this.open.connections.release();
    this.uploads.close();
    await turn();
    for (const tracker of this.#trackers()) {
      for (const context of tracker.all()) context.fail(McpError.shuttingDown());
    }
    await turn();
    await this.handOver.save();
    // A client that only listens should come back, to another process or to this server after its restart.
    this.open.streams.leave();
    this.open.sessions.close();
    this.open.streams.close();
  }

  *#trackers(): Iterable<Pick<StatelessRequests, 'all'>> {
    yield this.open.detached;
    for (const session of this.open.sessions.all()) yield session.inFlight;
  }
}

/** Lets the answers of what was just ended be written. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Sends clients elsewhere before the server ends. Clients that only listen go first. */
export class HttpDraining implements DrainedPart, OnModuleInit {
  constructor(
    private readonly open: OpenWork,
    private readonly sse: SseConnections,
    private readonly draining: Draining,
  ) {}

  onModuleInit(): void {
    this.draining.add(this);
  }

  /** A client that keeps its connection would never go elsewhere, nor would a balancer of connections send it there. */
  drain(): void {
    this.open.connections.disableKeepAlive();
  }

  stopAccepting(): void {
    this.open.connections.stopAccepting();
  }

  /** A disconnected client comes back, and learns here that nothing is left. */
  disconnect(): void {
    this.open.dispatcher.close();
    this.open.listeners.close();
    this.open.streams.leave();
    this.sse.leave();
  }

  get isBusy(): boolean {
    if (this.open.detached.all().length > 0) return true;
    for (const session of this.open.sessions.all()) if (session.isRunning) return true;
    return false;
  }
}
