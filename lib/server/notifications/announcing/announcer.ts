import type { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import { TokenBuckets } from '../../../core/async/rate-limits.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import { nameSharer, type Sharer } from '../../sessions/caller-shares.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import { ANNOUNCEMENT, type Audience, type SessionAudience } from './announcement.js';

/** The most messages for sessions of one caller that can be read again. Further messages are sent only once, to those who listen then. */
const TO_A_CALLER = { burst: 500, perSecond: 5 };

/** A session as a recipient: its name between processes, and its owner. */
type Recipient = Sharer & { readonly key: string };

/** Tells clients in all processes what belongs to no request. */
export class Announcer {
  readonly #toCallers = new TokenBuckets(TO_A_CALLER);

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
  ) {}

  /** Informs the recipients. In a server with a single process, it does so before it returns. */
  announce(to: Audience, notification: OutboundNotification): void {
    this.bus.publish(ANNOUNCEMENT, { to, notification });
  }

  /** Waits until the messages of this process so far are ahead of the later messages of others. Tells whether the engine has them. */
  settled(): Promise<boolean> {
    return this.bus.flush();
  }

  /** Informs one session, by its id. An invalid id is ignored. */
  announceTo(
    sessionId: string,
    notification: OutboundNotification,
    restriction: Omit<SessionAudience, 'session'> = {},
  ): void {
    const session = this.#find(sessionId);
    if (session === undefined) return;
    const announcement = { to: { ...restriction, session: session.key }, notification };
    if (this.#mayBeKept(session)) this.bus.publish(ANNOUNCEMENT, announcement);
    // What was told before it must not come after it.
    else void this.bus.flush().then(() => this.bus.broadcast(ANNOUNCEMENT, announcement));
  }

  /** Messages that one caller causes for itself must not push messages for others out of the log. */
  #mayBeKept(session: Recipient): boolean {
    return !this.bus.isShared || this.#toCallers.take(nameSharer(session));
  }

  /**
   * Returns the name of a session between processes, by its id. Returns `undefined` if the id is not valid, or if no
   * process has the session.
   */
  findKey(sessionId: string): string | undefined {
    return this.#find(sessionId)?.key;
  }

  /** Of a session that another process has, its id says whose it is. */
  #find(sessionId: string): Recipient | undefined {
    const known = this.sessions.find(sessionId);
    if (known !== undefined || !this.bus.isShared) return known;
    const ticket = this.sessions.readTicket(sessionId);
    return ticket && { key: ticket.nonce, identity: ticket.negotiated?.identity };
  }
}
