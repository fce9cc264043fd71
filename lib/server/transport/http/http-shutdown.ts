import { type BeforeApplicationShutdown, Injectable, type OnModuleInit } from '@nestjs/common';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { Pipeline } from '../../dispatch/pipeline.js';
import { ListenerRegistry } from '../../notifications/listener-registry.js';
import { LocalRelay } from '../../relay/local-relay.js';
import { DetachedRequests } from '../../sessions/in-flight-requests.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { HandOver } from './elsewhere/hand-over.js';
import { EventStreams } from './streams/event-streams.js';
import { HttpConnections } from './connections/http-connections.js';
import { Uploads } from './bodies/uploads.js';
import { type DrainedPart, Draining } from '../../shutdown/draining.js';
import { SseConnections } from '../sse/sse-connections.js';

/**
 * Refuses further requests and ends everything that is open, in an order in which clients lose nothing. Subscriptions end
 * with their result, bodies that are not whole and running calls with an error. Then streams and sessions end.
 */
@Injectable()
export class HttpShutdown implements BeforeApplicationShutdown {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly listeners: ListenerRegistry,
    private readonly detached: DetachedRequests,
    private readonly sessions: SessionRegistry,
    private readonly streams: EventStreams,
    private readonly uploads: Uploads,
    private readonly connections: HttpConnections,
    private readonly handOver: HandOver = new HandOver(new LocalRelay(), sessions),
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.pipeline.close();
    this.connections.refuseFurther();
    this.listeners.close();
    await this.connections.release();
    this.uploads.close();
    await turn();
    for (const tracker of this.#trackers()) {
      for (const context of tracker.all()) context.fail(McpError.shuttingDown());
    }
    await turn();
    await this.handOver.leave();
    // A client that only listens should come back, to another process or to this server after its restart.
    this.streams.leave();
    this.sessions.close();
    this.streams.close();
  }

  *#trackers(): Iterable<Pick<DetachedRequests, 'all'>> {
    yield this.detached;
    for (const session of this.sessions.all()) yield session.inFlight;
  }
}

/** Lets the answers of what was just ended be written. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Sends clients elsewhere before the server ends. Clients that only listen go first. */
@Injectable()
export class HttpDraining implements DrainedPart, OnModuleInit {
  constructor(
    private readonly pipeline: Pipeline,
    private readonly listeners: ListenerRegistry,
    private readonly detached: DetachedRequests,
    private readonly sessions: SessionRegistry,
    private readonly streams: EventStreams,
    private readonly connections: HttpConnections,
    private readonly sse: SseConnections,
    private readonly draining: Draining,
  ) {}

  onModuleInit(): void {
    this.draining.add(this);
  }

  /** A client that keeps its connection would never go elsewhere, nor would a balancer of connections send it there. */
  drain(): void {
    this.connections.keepNone();
  }

  refuse(): void {
    this.connections.refuseFurther();
  }

  /** A disconnected client comes back, and learns here that nothing is left. */
  leave(): void {
    this.pipeline.close();
    this.listeners.close();
    this.streams.leave();
    this.sse.leave();
  }

  get isBusy(): boolean {
    if (this.detached.all().length > 0) return true;
    for (const session of this.sessions.all()) if (session.isRunning) return true;
    return false;
  }
}
