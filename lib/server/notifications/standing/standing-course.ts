import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isUpTo } from '../../relay/position.js';
import type { Recalled, Relay } from '../../relay/relay.js';
import { RelayError } from '../../relay/relay.error.js';
import { nameSharer } from '../../sessions/caller-shares.js';
import type { Session } from '../../sessions/session.js';
import { StandingReader } from '../../sessions/streams/standing-reader.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { ANNOUNCEMENT, readNotification, type Announcement } from '../announcing/announcement.js';
import { listLossNotices } from './loss-notices.js';
import type { Judgement, SessionJudge } from './session-judge.js';
import { whenDrained } from './when-drained.js';

/** Messages that are written in one go: for more it is waited until the reader has taken them. */
const AT_ONCE = 64;

/** Milliseconds for which a reader waits at most for what cannot be read now. */
const PATIENCE_MS = 10_000;
/** Milliseconds between two tries. */
const RETRY_MS = 250;

/** What a course stands on. */
export interface CourseParts {
  readonly session: Session;
  readonly relay: Relay;
  readonly judge: SessionJudge;
  /** Where the messages are written to. */
  readonly response: Pick<Writable, 'writableNeedDrain' | 'once' | 'off' | 'closed'>;
}

type Told = readonly [announcement: Announcement, scopes: readonly string[], position: ClusterPosition];

/**
 * Gives one reader of a standing stream what was published, in order and once: first what it has missed, from the log, as fast as it
 * takes that; then what comes. What cannot be had any more is told as a loss, never passed over.
 */
export class StandingCourse {
  readonly reader: StandingReader;
  #at: ClusterPosition | undefined;
  #isReading = false;
  #isLossy = false;
  #failingSince: number | undefined;
  #isClosed = false;

  constructor(private readonly parts: CourseParts) {
    const { session, relay } = parts;
    const readAgain = ({ epoch, number }: ClusterPosition) => this.begin({ epoch, number: number - 1 });
    this.reader = new StandingReader(session.streams, readAgain, relay.told);
  }

  /** What the reader was given everything up to. */
  get read(): ClusterPosition | undefined {
    const { position } = this.parts.relay;
    return this.reader.isCurrent && position !== undefined ? this.#latest(position) : this.#at;
  }

  /** Begins behind a place, or with what comes from now on. */
  begin(after: ClusterPosition | undefined): void {
    this.#at = after;
    if (after === undefined) this.reader.catchUp(this.parts.relay.position);
    else if (!this.#isReading && !this.#finish()) void this.#readOn();
  }

  /** Tells the reader that something is lost. */
  lose(): void {
    this.#miss();
    if (!this.#isReading) void this.#readOn();
  }

  close(): void {
    this.#isClosed = true;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      do await this.#readPart().catch((error: unknown) => this.#recover(error));
      while (!this.#isClosed && !this.#finish());
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads what was published until now. */
  async #readPart(): Promise<void> {
    if (this.#isLossy) return this.#tellLoss();
    const { relay, session } = this.parts;
    const at = this.#at;
    const until = relay.position;
    if (at === undefined) return;
    for await (const part of relay.recallInParts(ANNOUNCEMENT, at, nameSharer(session))) {
      this.#failingSince = undefined;
      for (const { body, position } of part) {
        if (this.#isClosed) return;
        await this.#give(body, position);
        this.#at = position;
      }
    }
    if (until !== undefined) this.#at = this.#latest(until);
  }

  /** What is gone is lost. What cannot be read now may be there: an engine that does not answer for a while has lost nothing. */
  async #recover(error: unknown): Promise<void> {
    const now = performance.now();
    const since = (this.#failingSince ??= now);
    const isGone = error instanceof RelayError && error.reason === 'gone';
    if (isGone || now - since > PATIENCE_MS) return this.#miss();
    // Not all readers at once.
    await delay(RETRY_MS * (1 + Math.random()), undefined, { ref: false });
  }

  /** Gives the reader the rest if it is little and all at hand: what comes next is for it at once then. Tells whether that is so. */
  #finish(): boolean {
    const { relay } = this.parts;
    const at = this.#at;
    if (this.#isLossy) return false;
    const kept = at && relay.recallKept(ANNOUNCEMENT, at);
    const told = kept && this.#judgeAtOnce(kept);
    if (at !== undefined && told === undefined) return false;
    for (const [announcement, scopes, position] of told ?? []) {
      this.reader.write(readNotification(announcement), scopes, position);
    }
    this.reader.catchUp(relay.position === undefined ? at : this.#latest(relay.position));
    return true;
  }

  #judgeAtOnce(kept: readonly Recalled<Announcement>[]): readonly Told[] | undefined {
    const told: Told[] = [];
    for (const { body, position } of kept) {
      const judgement = this.#judge(body, position);
      if (judgement instanceof Promise || told.length === AT_ONCE) return undefined;
      if (judgement !== undefined) told.push([body, judgement, position]);
    }
    return told;
  }

  async #give(announcement: Announcement, position: ClusterPosition): Promise<void> {
    const scopes = await this.#judge(announcement, position);
    if (scopes === undefined) return;
    await whenDrained(this.parts.response);
    this.reader.write(readNotification(announcement), scopes, position);
  }

  /** What comes from now on is given behind the notices. */
  #miss(): void {
    this.#failingSince = undefined;
    this.#isLossy = true;
    this.reader.hold();
  }

  /** Only the last notice has an id: whoever loses the connection before that is told again. */
  async #tellLoss(): Promise<void> {
    this.#isLossy = false;
    const { session, relay } = this.parts;
    let last: readonly [Announcement, readonly string[]] | undefined;
    for (const notice of listLossNotices(session)) {
      const scopes = await this.#judge(notice);
      if (scopes === undefined) continue;
      await whenDrained(this.parts.response);
      if (last !== undefined) this.reader.take(readNotification(last[0]), last[1]);
      last = [notice, scopes];
    }
    const { held } = this.reader;
    const position = held === undefined ? relay.position : { ...held, number: held.number - 1 };
    if (last !== undefined && position !== undefined)
      this.reader.write(readNotification(last[0]), last[1], position);
    else if (last !== undefined) this.reader.take(readNotification(last[0]), last[1]);
    this.#at = held && position;
  }

  #judge({ to }: Announcement, position?: ClusterPosition): Judgement | Promise<Judgement> {
    const { judge, session } = this.parts;
    return judge.judge(session, to, position);
  }

  /** The client may be ahead of what this process was given. */
  #latest(position: ClusterPosition): ClusterPosition {
    return this.#at !== undefined && isUpTo(position, this.#at) ? this.#at : position;
  }
}
