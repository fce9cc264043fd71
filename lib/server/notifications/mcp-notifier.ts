import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { buildLogEntry, isAtLeast, type LogLevel } from '../../core/protocol/log-level.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import { ResourceAccess } from '../catalogue/resource-access.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import { SessionRegistry, type SessionEvent } from '../sessions/session-registry.js';
import { LIST_CHANGED, type Area } from './list-changed.js';
import { ListenerRegistry } from './listener-registry.js';

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
    private readonly listeners: ListenerRegistry,
    private readonly access: ResourceAccess,
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
   * Tells the subscribers of a resource that it changed, as far as their tokens would do to read it now.
   *
   * @see MCP server/resources, "Subscriptions"
   */
  resourceUpdated(uri: string): void {
    const notification = new OutboundNotification('notifications/resources/updated', { uri });
    const scopes = this.access.isDeclared ? this.access.find(uri)?.scopes : undefined;
    for (const session of this.registry.subscribers(uri)) session.emit(notification, scopes);
    this.listeners.sendToResource(uri, notification, scopes);
  }

  /**
   * Sends a log entry to every session whose level it reaches.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    const notification = new OutboundNotification(
      'notifications/message',
      buildLogEntry(level, data, logger),
    );
    for (const session of this.registry.all()) {
      const minimum = session.logLevel;
      if (minimum !== undefined && isAtLeast(level, minimum)) session.emit(notification);
    }
  }

  /**
   * Tells the client of a session that what its user was sent to a page for is done.
   *
   * @see MCP 2025-11-25 client/elicitation, "URL Mode"
   */
  elicitationCompleted(sessionId: string, elicitationId: string): void {
    const session = this.registry.find(sessionId);
    if (session?.revision.defines.elicitationId !== true) return;
    session.emit(new OutboundNotification('notifications/elicitation/complete', { elicitationId }));
  }

  #listChanged(area: Area): void {
    const { method, isDeclared } = LIST_CHANGED[area];
    const notification = new OutboundNotification(method);
    for (const session of this.registry.all()) {
      if (isDeclared(session.declared)) session.emit(notification);
    }
    this.listeners.sendToArea(area, notification);
  }
}
