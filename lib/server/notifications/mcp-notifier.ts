import { Injectable } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { buildLogEntry, isAtLeast, type LogLevel } from '../../core/protocol/log-level.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { CatalogueEntry } from '../catalogue/entries.js';
import { ResourceAccess } from '../catalogue/resource-access.js';
import { selectInTurn } from '../catalogue/visibility/select-in-turn.js';
import { Visibility } from '../catalogue/visibility/visibility.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import type { SessionEvent } from '../sessions/session-event.interface.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import type { VisibilityContext } from '../settings/visibility-context.interface.js';
import { LIST_CHANGED, type Area } from './list-changed.js';
import { ListenerRegistry, type Listener } from './listener-registry.js';
import { SubscriberViews } from './subscriber-views.js';

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
    private readonly visibility: Visibility,
    private readonly views: SubscriberViews,
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
    const notification = new OutboundNotification('notifications/resources/updated', { uri });
    if (this.visibility.isDeclared) return void this.#tellSeeing(uri, notification);
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

  /** Never rejects: whoever cannot be told about is hidden from. */
  async #tellSeeing(uri: string, notification: OutboundNotification): Promise<void> {
    const tellSessions = selectInTurn([...this.registry.subscribers(uri)], Infinity, async (session) => {
      const scopes = await this.#findScopes(uri, this.views.find(session));
      if (scopes !== undefined && session.subscriptions.has(uri)) session.emit(notification, scopes);
      return false;
    });
    const findScopes = ({ request }: Listener) => this.#findScopes(uri, request);
    await Promise.all([tellSessions, this.listeners.sendToSeeing(uri, notification, findScopes)]);
  }

  /** Finds what scopes it takes to read a resource; nothing where it is not there for a subscriber. */
  async #findScopes(
    uri: string,
    subscriber: VisibilityContext | undefined,
  ): Promise<readonly string[] | undefined> {
    const hidden = new Set<object>();
    for (;;) {
      const entry = this.access.findEntry(uri, hidden);
      // What is no resource of the catalogue is hidden from nobody.
      if (entry === undefined) return hidden.size === 0 ? [] : undefined;
      const isSeen = !this.visibility.isConditional([entry]) || (await this.#sees(entry, subscriber));
      if (isSeen) return entry.access?.scopes ?? [];
      hidden.add(entry);
    }
  }

  #sees(entry: CatalogueEntry, subscriber: VisibilityContext | undefined): boolean | Promise<boolean> {
    return subscriber !== undefined && this.visibility.sees(entry, subscriber);
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
