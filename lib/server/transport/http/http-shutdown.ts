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

/** Pending work that ends with the server. */
interface OpenWork {
  readonly dispatcher: RequestDispatcher;
  readonly listeners: ListenerRegistry;
  readonly detached: StatelessRequests;
  readonly sessions: SessionRegistry;
  readonly streams: EventStreams;
  readonly connections: HttpConnections;
}

/**
 * Rejects further requests and ends all pending work, in an order that loses nothing. Subscriptions end with their
 * result, incomplete bodies and running calls with an error. Then streams and sessions end.
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
    // A client that only listens should reconnect, to another process or after the restart.
    this.open.streams.leave();
    this.open.sessions.close();
    this.open.streams.close();
  }

  *#trackers(): Iterable<Pick<StatelessRequests, 'all'>> {
    yield this.open.detached;
    for (const session of this.open.sessions.all()) yield session.inFlight;
  }
}

/** Allows the ended calls' responses to be written. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Disconnects clients before the server closes, starting with those that only listen. */
export class HttpDraining implements DrainedPart, OnModuleInit {
  constructor(
    private readonly open: OpenWork,
    private readonly sse: SseConnections,
    private readonly draining: Draining,
  ) {}

  onModuleInit(): void {
    this.draining.add(this);
  }

  /** A keep-alive connection would never move to another process. */
  drain(): void {
    this.open.connections.disableKeepAlive();
  }

  stopAccepting(): void {
    this.open.connections.stopAccepting();
  }

  /** A disconnected client reconnects and finds that this process rejects it. */
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
