import { Injectable } from '@nestjs/common';
import type { OutboundNotification } from '../../../core/protocol/outbound-message.js';
import { Relay } from '../../relay/relay.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { ANNOUNCEMENT, type Audience, type SessionAudience } from './announcement.js';

/** Tells clients in all processes what belongs to no request. */
@Injectable()
export class Announcer {
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
    if (session !== undefined) this.announce({ ...restriction, session }, notification);
  }

  /** Gives what processes call a session, by its id; nothing if that is none, or no process has it any more. */
  findKey(sessionId: string): string | undefined {
    const known = this.sessions.find(sessionId)?.key;
    return known ?? (this.relay.isShared ? this.sessions.readTicket(sessionId)?.nonce : undefined);
  }
}
