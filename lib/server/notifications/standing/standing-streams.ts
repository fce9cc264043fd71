import { Injectable } from '@nestjs/common';
import { Relay } from '../../relay/relay.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { SessionJudge } from './session-judge.js';
import type { StandingClaim } from './standing-claims.js';
import { StandingClaims } from './standing-claims.js';
import { StandingCourse, type CourseParts } from './standing-course.js';

/** Who writes the stream of a reader. */
export interface StandingWriter {
  readonly response: CourseParts['response'];
  /** Ends the stream, and tells the client when to come back. */
  dismiss(): void;
}

/** The standing streams that are read in this process, in a server of several: nothing costs anything for sessions that have none. */
@Injectable()
export class StandingStreams {
  readonly #courses = new Map<StandingClaim, StandingCourse>();

  constructor(
    private readonly relay: Relay,
    private readonly sessions: SessionRegistry,
    private readonly claims: StandingClaims,
    private readonly judge: SessionJudge,
  ) {
    relay.onGap(() => {
      for (const course of this.#courses.values()) course.lose();
    });
  }

  /** Begins to give a reader what it is owed, until it is {@link end}ed. */
  begin(claim: StandingClaim, { response, dismiss }: StandingWriter): void {
    const { session, begin } = claim;
    const { shared } = session;
    if (shared === undefined) return;
    const course = new StandingCourse({ session, relay: this.relay, judge: this.judge, response });
    claim.dismiss = dismiss;
    this.#courses.set(claim, course);
    // To open the stream shows that the handshake was confirmed, to whichever process.
    this.sessions.confirm(session);
    shared.reader = course.reader;
    this.sessions.hearers.add(session);
    course.begin(begin);
  }

  end(claim: StandingClaim): void {
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

  /** Gives what the reader of a claim was given everything up to. */
  findRead(claim: StandingClaim): ClusterPosition | undefined {
    return this.#courses.get(claim)?.read;
  }
}
