import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
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
