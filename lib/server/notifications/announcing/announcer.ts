import { Injectable } from '@nestjs/common';
import type { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import { Allowances } from '../../../core/waiting/allowances.js';
import { Relay } from '../../relay/relay.js';
import { nameSharer } from '../../sessions/caller-shares.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { ANNOUNCEMENT, type Audience, type SessionAudience } from './announcement.js';

/** What is told to sessions of one caller alone, and can be read again: what is beyond is told once, to whoever listens then. */
const TO_A_CALLER = { atOnce: 500, perSecond: 5 };

/** Tells clients in all processes what belongs to no request. */
@Injectable()
export class Announcer {
  readonly #toCallers = new Allowances(TO_A_CALLER);

  constructor(
    private readonly relay: Relay,
    private readonly sessions: SessionRegistry,
  ) {}

  /** Tells whoever is concerned; where the server is alone, before it returns. */
  announce(to: Audience, notification: OutboundNotification): void {
    this.relay.publish(ANNOUNCEMENT, { to, notification });
  }

  /** Waits until what this process has told comes before what others tell from then on. */
  settled(): Promise<void> {
    return this.relay.settled();
  }

  /** Tells one session, by its id; nobody if it is none. */
  announceTo(
    sessionId: string,
    notification: OutboundNotification,
    restriction: Omit<SessionAudience, 'session'> = {},
  ): void {
    const session = this.findKey(sessionId);
    if (session === undefined) return;
    const announcement = { to: { ...restriction, session }, notification };
    if (this.#mayBeKept(session)) this.relay.publish(ANNOUNCEMENT, announcement);
    // What was told before it must not come after it.
    else void this.relay.settled().then(() => this.relay.tellAll(ANNOUNCEMENT, announcement));
  }

  /** What one caller has made for itself must not push what others are told out of the log. */
  #mayBeKept(key: string): boolean {
    if (!this.relay.isShared) return true;
    const session = this.sessions.findByKey(key);
    return this.#toCallers.take(session === undefined ? key : nameSharer(session));
  }

  /** Gives what processes call a session, by its id; nothing if that is none, or no process has it any more. */
  findKey(sessionId: string): string | undefined {
    const known = this.sessions.find(sessionId)?.key;
    return known ?? (this.relay.isShared ? this.sessions.readTicket(sessionId)?.nonce : undefined);
  }
}
