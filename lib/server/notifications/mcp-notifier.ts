import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { LogLevel } from '../../core/protocol/log-level.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import type { SessionEvent } from '../sessions/session-event.interface.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { Announcer } from './announcing/announcer.js';
import { buildListChanged, buildLogMessage, buildUpdate } from './change-notifications.js';
import type { Area } from './list-changed.js';

/**
 * Tells clients what changed: each session that negotiated it and each subscription that asked for it gets one message.
 *
 * @example
 * constructor(private readonly notifier: McpNotifier) {}
 *
 * async close(id: number) {
 *   await this.tickets.close(id);
 *   this.notifier.resourceUpdated(`desk://tickets/${id}`);
 * }
 */
@Injectable()
export class McpNotifier {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly announcer: Announcer,
  ) {}

  /** The sessions that are open. */
  get sessions(): readonly SessionView[] {
    return [...this.registry.all()];
  }

  /** Emits each session that opens, is initialized or closes. */
  get sessions$(): Observable<SessionEvent> {
    return this.registry.events$;
  }

  /** Tells that the list of tools changed. The catalogue does so by itself. */
  toolsListChanged(): void {
    this.#listChanged('tools');
  }

  /** Tells that the list of prompts changed. The catalogue does so by itself. */
  promptsListChanged(): void {
    this.#listChanged('prompts');
  }

  /** Tells that the list of resources or templates changed. The catalogue does so by itself. */
  resourcesListChanged(): void {
    this.#listChanged('resources');
  }

  /**
   * Tells the subscribers of a resource that it changed, as far as it is there for them and their tokens would do to read it now.
   *
   * @see MCP server/resources, "Subscriptions"
   */
  resourceUpdated(uri: string): void {
    this.announcer.announce({ uri }, buildUpdate(uri));
  }

  /**
   * Sends a log entry to every session whose level it reaches.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.announcer.announce({ level }, buildLogMessage(level, data, logger));
  }

  /**
   * Tells the client of a session that what its user was sent to a page for is done.
   *
   * @see MCP 2025-11-25 client/elicitation, "URL Mode"
   */
  elicitationCompleted(sessionId: string, elicitationId: string): void {
    const notification = new OutboundNotification('notifications/elicitation/complete', { elicitationId });
    this.announcer.announceTo(sessionId, notification, { defined: 'elicitationId' });
  }

  #listChanged(area: Area): void {
    this.announcer.announce({ area }, buildListChanged(area));
  }
}
