import type { OutboundNotification } from '../../core/protocol/outbound-message.js';
import { TokenBuckets } from '../../core/async/rate-limits.js';
import type { ClusterBus } from '../cluster/cluster-bus.js';
import { nameSharer, type Sharer } from '../sessions/caller-shares.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import { NOTIFICATIONS, type Audience, type SessionAudience } from './audience.js';

/** The rate of replayable messages for one caller's sessions. Further messages reach only open streams. */
const REPLAYABLE_PER_CALLER = { burst: 500, perSecond: 5 };

/** A session's key, and its caller. */
type Recipient = Sharer & { readonly key: string };

/** Publishes notifications that do not belong to a request to all processes' clients. */
export class NotificationPublisher {
  readonly #replayable = new TokenBuckets(REPLAYABLE_PER_CALLER);

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
  ) {}

  /** Notifies an audience; on a server with a single process, before it returns. */
  publish(to: Audience, notification: OutboundNotification): void {
    this.bus.publish(NOTIFICATIONS, { to, notification });
  }

  /**
   * Waits until all of this process's earlier messages are ordered before the other processes' later messages.
   * Returns whether the backend has stored them.
   */
  flush(): Promise<boolean> {
    return this.bus.flush();
  }

  /** Notifies one session, given by its id. An invalid id is ignored. */
  publishToSession(
    sessionId: string,
    notification: OutboundNotification,
    restriction: Omit<SessionAudience, 'session'> = {},
  ): void {
    const session = this.#find(sessionId);
    if (session === undefined) return;
    const published = { to: { ...restriction, session: session.key }, notification };
    if (this.#isReplayable(session)) this.bus.publish(NOTIFICATIONS, published);
    // A broadcast must not overtake earlier messages.
    else void this.bus.flush().then(() => this.bus.broadcast(NOTIFICATIONS, published));
  }

  /** Messages that a caller sends to itself must not evict other callers' messages from the log. */
  #isReplayable(session: Recipient): boolean {
    return !this.bus.isShared || this.#replayable.take(nameSharer(session));
  }

  /**
   * Returns a session key, given its id. Returns `undefined` if the id is invalid, or if no process has the session.
   */
  findKey(sessionId: string): string | undefined {
    return this.#find(sessionId)?.key;
  }

  /** The id of another process's session contains its caller. */
  #find(sessionId: string): Recipient | undefined {
    const known = this.sessions.find(sessionId);
    if (known !== undefined || !this.bus.isShared) return known;
    const ticket = this.sessions.readTicket(sessionId);
    return ticket && { key: ticket.nonce, identity: ticket.negotiated?.identity };
  }
}
