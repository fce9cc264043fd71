import { filter as filterEvents, merge, type Observable } from 'rxjs';
import type { LogLevel } from '../../core/protocol/log-level.js';
import { normalizeUri } from '../../core/protocol/normalize-uri.js';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import type { CallerSelector } from '../sessions/callers/mcp-sessions.interface.js';
import { parseCallerSelector } from '../sessions/callers/parse-caller-selector.js';
import type { ResourceSubscriptionEvent } from '../sessions/resource-subscribers.js';
import type { SessionEvent } from '../sessions/session-event.interface.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Recipients } from './audience.js';
import {
  buildListChanged,
  buildLogMessage,
  buildUpdate,
  type ListFilter,
  type ResourceFilter,
} from './change-notifications.js';
import type { ListenerRegistry } from './listener-registry.js';
import type { NotificationPublisher } from './notification-publisher.js';

/**
 * Notifies clients of changes. Each session that negotiated a notification receives it once, and so does each
 * subscription that requested it.
 */
export class ClientNotifier {
  readonly #only: { readonly only?: Recipients };

  /** @param only the recipients; all clients by default */
  constructor(
    protected readonly publisher: NotificationPublisher,
    only?: Recipients,
  ) {
    this.#only = only === undefined ? {} : { only };
  }

  /** Notifies clients that the tool list has changed. The catalog does this itself. */
  toolsListChanged(): void {
    this.#listChanged('toolsListChanged');
  }

  /** Notifies clients that the prompt list has changed. The catalog does this itself. */
  promptsListChanged(): void {
    this.#listChanged('promptsListChanged');
  }

  /** Notifies clients that the list of resources or templates has changed. The catalog does this itself. */
  resourcesListChanged(): void {
    this.#listChanged('resourcesListChanged');
  }

  /** Notifies clients that the list of event sources has changed. The sources do this themselves. */
  eventsListChanged(): void {
    this.#listChanged('eventsListChanged');
  }

  /**
   * Notifies a resource's subscribers that it has changed, if they can see it and their tokens currently allow
   * reading it.
   *
   * @see MCP server/resources, "Subscriptions"
   */
  resourceUpdated(uri: string): void {
    this.#resourceChanged('resourceSubscriptions', uri);
  }

  /**
   * Sends a log entry to every session that requested its level.
   *
   * @see MCP server/utilities/logging
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.publisher.publish({ level, ...this.#only }, buildLogMessage(level, data, logger));
  }

  #listChanged(filter: ListFilter): void {
    this.publisher.publish({ filter, ...this.#only }, buildListChanged(filter));
  }

  #resourceChanged(filter: ResourceFilter, uri: string): void {
    const audience = { filter, uri: normalizeUri(uri), ...this.#only };
    this.publisher.publish(audience, buildUpdate(filter, uri));
  }
}

/**
 * Notifies clients of changes. Each session that negotiated a notification receives it once, and so does each
 * subscription that requested it.
 *
 * @example
 * constructor(private readonly notifier: McpNotifier) {}
 *
 * async close(id: number, owner: string) {
 *   await this.tickets.close(id);
 *   this.notifier.resourceUpdated(`desk://tickets/${id}`);
 *   this.notifier.to({ subject: owner }).log('notice', `Ticket ${id} is closed`);
 * }
 */
export class McpNotifier extends ClientNotifier {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly listeners: ListenerRegistry,
    publisher: NotificationPublisher,
    private readonly settings?: Pick<ServerSettings, 'auth'>,
  ) {
    super(publisher);
  }

  /** The open sessions. */
  get sessions(): readonly SessionView[] {
    return [...this.registry.all()];
  }

  /** Emits when a session opens, is initialized or closes. */
  get sessions$(): Observable<SessionEvent> {
    return this.registry.events$;
  }

  /**
   * Emits when a resource gets its first subscriber in this process, and when it loses its last one. Use it to observe a
   * source of changes only for as long as clients are subscribed.
   */
  get subscriptions$(): Observable<ResourceSubscriptionEvent> {
    const { resourceSubscriptions } = this.listeners.resources;
    const { resources } = this.registry.recipients;
    return merge(
      resources.events$.pipe(filterEvents(({ uri }) => !resourceSubscriptions.has(uri))),
      resourceSubscriptions.events$.pipe(filterEvents(({ uri }) => !resources.has(uri))),
    );
  }

  /**
   * Waits until all of this process's earlier messages are ordered before all of the other processes' later messages.
   * Await it if the next step may happen in another process and clients must see this order, or if a message must
   * outlive this process. It costs one round trip to Redis, does not wait for clients, and never rejects. A server
   * with a single process does not wait.
   *
   * @returns `true` if Redis has stored the messages, so that clients receive them even if this process is killed
   *   now. `false` if Redis does not respond: this process's clients have received the messages, and others receive
   *   them once Redis is available again, unless this process ends first
   * @example
   * this.notifier.log('info', 'The first step is done');
   * if (!(await this.notifier.flush())) return 'The first step is done, but not announced everywhere yet';
   * return 'Take the second step';
   */
  flush(): Promise<boolean> {
    return this.publisher.flush();
  }

  /**
   * Returns a notifier for one session, or for one caller's sessions and subscriptions. Their streams may be in any
   * process.
   *
   * @param recipient a session, its id, its `key` from `McpSessions`, or the caller
   * @throws {TypeError} if the recipient does not identify a caller
   * @example
   * this.notifier.to({ subject: 'ada' }).toolsListChanged();
   * this.notifier.to(context.session).log('info', 'Your report is ready');
   */
  to(recipient: string | Pick<SessionView, 'id'> | CallerSelector): ClientNotifier {
    if (typeof recipient === 'string') return this.#toSession(recipient);
    if (typeof recipient === 'object' && 'id' in recipient) return this.#toSession(recipient.id);
    const caller = parseCallerSelector(recipient, this.settings?.auth);
    return new ClientNotifier(this.publisher, { caller });
  }

  /**
   * Notifies a session's client that the user has completed a URL mode elicitation.
   *
   * @see MCP 2025-11-25 client/elicitation, "URL Mode"
   */
  elicitationCompleted(sessionId: string, elicitationId: string): void {
    const notification = new OutboundNotification('notifications/elicitation/complete', { elicitationId });
    this.publisher.publishToSession(sessionId, notification, { defined: 'elicitationId' });
  }

  /** An id consists of parts, one of which is the key. An invalid id matches no session. */
  #toSession(session: string): ClientNotifier {
    const key = session.includes('.') ? this.publisher.findKey(session) : session;
    return new ClientNotifier(this.publisher, { session: key ?? '' });
  }
}
