import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Pipeline } from '../../dispatch/pipeline.js';
import { ListenerRegistry } from '../../notifications/listener-registry.js';
import { DetachedRequests } from '../../sessions/in-flight-requests.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { Draining, type DrainedPart } from '../../shutdown/draining.js';
import { SseConnections } from '../sse/sse-connections.js';
import { HttpConnections } from './connections/http-connections.js';
import { EventStreams } from './streams/event-streams.js';

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
