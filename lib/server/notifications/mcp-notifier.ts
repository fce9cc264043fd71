import type { Observable } from 'rxjs';
import { OutboundNotification } from '../../core/protocol/outbound-message.js';
import type { SessionView } from '../context/mcp-context.interface.js';
import type { CallerSelector } from '../sessions/callers/mcp-sessions.interface.js';
import { parseCallerSelector } from '../sessions/callers/parse-caller-selector.js';
import type { SessionEvent } from '../sessions/session-event.interface.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { Announcer } from './announcing/announcer.js';
import { ClientNotifier } from './client-notifier.js';

/**
 * Tells clients what changed. Each session that negotiated it gets one message, and so does each subscription that
 * asked for it.
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
    announcer: Announcer,
    private readonly settings?: Pick<ServerSettings, 'auth'>,
  ) {
    super(announcer);
  }

  /** The sessions that are open. */
  get sessions(): readonly SessionView[] {
    return [...this.registry.all()];
  }

  /** Emits when a session opens, is initialized or closes. */
  get sessions$(): Observable<SessionEvent> {
    return this.registry.events$;
  }

  /**
   * Waits until all messages of this process so far are ahead of all later messages of other processes. Await it if the
   * next step may happen in another process and clients must see this order, or if a message must outlive this process.
   * It takes one round trip to Redis, does not wait for clients, and never rejects. A process that is alone does not wait.
   *
   * @returns `true` if Redis has the messages, so that clients get them even if this process is killed now. `false` if Redis
   * does not answer: clients of this process have the messages, and others get them when Redis is back, unless this
   * process ends before
   * @example
   * this.notifier.log('info', 'The first step is done');
   * if (!(await this.notifier.flush())) return 'The first step is done, but not announced everywhere yet';
   * return 'Take the second step';
   */
  flush(): Promise<boolean> {
    return this.announcer.settled();
  }

  /**
   * Returns a notifier for one session, or for the sessions and subscriptions of one caller. Their streams may be in
   * any process.
   *
   * @param recipient a session, its id, its `key` from `McpSessions`, or the caller
   * @throws {TypeError} if the recipient does not name a caller
   * @example
   * this.notifier.to({ subject: 'ada' }).toolsListChanged();
   * this.notifier.to(context.session).log('info', 'Your report is ready');
   */
  to(recipient: string | Pick<SessionView, 'id'> | CallerSelector): ClientNotifier {
    if (typeof recipient === 'string') return this.#toSession(recipient);
    if (typeof recipient === 'object' && 'id' in recipient) return this.#toSession(recipient.id);
    const caller = parseCallerSelector(recipient, this.settings?.auth);
    return new ClientNotifier(this.announcer, { caller });
  }

  /**
   * Tells the client of a session that the user has finished on a page.
   *
   * @see MCP 2025-11-25 client/elicitation, "URL Mode"
   */
  elicitationCompleted(sessionId: string, elicitationId: string): void {
    const notification = new OutboundNotification('notifications/elicitation/complete', { elicitationId });
    this.announcer.announceTo(sessionId, notification, { defined: 'elicitationId' });
  }

  /** An id has parts, and a key is one of them. An invalid id gets no message. */
  #toSession(session: string): ClientNotifier {
    const key = session.includes('.') ? this.announcer.findKey(session) : session;
    return new ClientNotifier(this.announcer, { session: key ?? '' });
  }
}
