import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { SharedPart } from '../../sessions/shared/shared-part.js';
import type { SharedSessions } from '../../sessions/shared/shared-sessions.js';
import type { StreamCursor } from '../../sessions/streams/stream-cursor.js';
import type { NotificationScopes } from '../notification-scopes.js';
import type { StreamClaim, StreamClaims } from './stream-claims.js';
import { StandaloneStream, type StandaloneStreamParts } from './standalone-stream.js';

/** Milliseconds between two attempts to ask other processes about the session of an open stream. */
const UNREAD_MS = 500;

/** Who writes the stream of a reader. */
export interface StreamWriter {
  readonly response: StandaloneStreamParts['response'];
  /** Ends the stream, and tells the client when to come back. */
  dismiss(): void;
}

/** The standing streams that clients read in this process, if the server has several processes. Sessions without such a stream cost nothing. */
export class StandaloneStreams {
  readonly #courses = new Map<StreamClaim, StandaloneStream>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly claims: StreamClaims,
    private readonly judge: NotificationScopes,
    private readonly shared: SharedSessions,
  ) {}

  /** Begins to send the missing messages to a reader, until {@link end} is called. */
  begin(claim: StreamClaim, { response, dismiss }: StreamWriter): void {
    const { session, begin } = claim;
    const { shared } = session;
    if (shared === undefined) return;
    const whenRead = () => this.#whenRead(claim, shared);
    const course = new StandaloneStream({ session, bus: this.bus, judge: this.judge, whenRead, response });
    claim.dismiss = dismiss;
    this.#courses.set(claim, course);
    // To open the stream shows that the handshake was confirmed, to whichever process.
    this.sessions.confirm(session);
    shared.reader = course.reader;
    this.sessions.hearers.add(session);
    course.begin(begin);
  }

  end(claim: StreamClaim): void {
    const { session } = claim;
    const course = this.#courses.get(claim);
    this.#courses.delete(claim);
    course?.close();
    if (session.shared !== undefined && session.shared.reader === course?.reader) {
      session.shared.reader = undefined;
      this.sessions.hearers.remove(session);
    }
    this.claims.release(claim, course === undefined ? claim.begin : course.read);
  }

  /** Tells every reader that something may be lost. */
  lose(): void {
    for (const course of this.#courses.values()) course.lose();
  }

  /** Returns how far the reader of a claim has got. */
  findRead(claim: StreamClaim): StreamCursor | undefined {
    return this.#courses.get(claim)?.read;
  }

  /**
   * Fetches what was unknown when the stream began, or missed since. A client that only listens sends no request that
   * would do this. It never rejects.
   */
  async #whenRead(claim: StreamClaim, part: SharedPart): Promise<void> {
    for (;;) {
      await this.shared.takeUpLate(claim.session);
      if (!part.isUnread || !this.#courses.has(claim)) return;
      // Not all of them at once.
      await delay(UNREAD_MS * (1 + Math.random()), undefined, { ref: false });
    }
  }
}
