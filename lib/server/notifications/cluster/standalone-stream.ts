import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isUpTo } from '../../cluster/position.js';
import {
  type ClusterBus,
  ClusterBusError,
  type EntryName,
  type LogEntry,
} from '../../cluster/cluster-bus.js';
import { nameSharer } from '../../sessions/caller-shares.js';
import type { Session } from '../../sessions/session.js';
import { StandingReader } from '../../sessions/streams/standing-reader.js';
import type { StreamCursor } from '../../sessions/streams/stream-cursor.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import {
  findJudgingProcess,
  NOTIFICATIONS,
  readNotification,
  type PublishedNotification,
} from '../audience.js';
import { listLossReports } from './loss-reporter.js';
import type { RequiredScopes, NotificationScopes } from '../notification-scopes.js';

/** Messages that are written in one go: for more it is waited until the reader has taken them. */
const AT_ONCE = 64;

/** Milliseconds until the log is read again that could not be read. */
const RETRY_MS = 500;

/** How often the log is read that is in reach, and yet cannot be read: then what comes next is better than nothing. */
const MOST_FAILURES = 10;

/** The parts of a course. */
export interface StandaloneStreamParts {
  readonly session: Session;
  readonly bus: Pick<ClusterBus, 'position' | 'isConnected' | 'own' | 'replayBuffered' | 'replayInParts'>;
  readonly judge: Pick<NotificationScopes, 'find'>;
  /** Waits until the record of the session is read: nothing can be judged before that. It never rejects. */
  readonly whenRead: () => Promise<void>;
  /** Where the messages are written to. */
  readonly response: Pick<Writable, 'writableNeedDrain' | 'once' | 'off' | 'closed'>;
}

type Told = readonly [
  announcement: PublishedNotification,
  scopes: readonly string[],
  position: ClusterPosition,
  name: EntryName,
];

/**
 * Gives one reader of a standing stream what was published, in order and once. First come the messages that it missed, from
 * the log and as fast as it reads, and then new ones. It waits for entries that are out of reach now. Messages that are
 * gone are reported as a loss, never skipped.
 */
export class StandaloneStream {
  readonly reader: StandingReader;
  /** The place up to which the reader got everything. Absent if the messages of {@link StandingReader.held} come next. */
  #at: ClusterPosition | undefined;
  #isReading = false;
  #isLossy = false;
  #isClosed = false;
  #failures = 0;

  constructor(private readonly parts: StandaloneStreamParts) {
    const { session } = parts;
    this.reader = new StandingReader({
      streams: session.streams,
      onDelay: (position) => this.#goOn(findPlaceBefore(position)),
      findRead: () => this.#read,
      onEarly: () => this.#giveUnplaced(),
      before: session.shared?.before,
    });
  }

  /** How far the reader has got. */
  get read(): StreamCursor | undefined {
    const read = this.#read;
    const { given } = this.reader;
    return read && (given === '' ? read : { ...read, given });
  }

  get #read(): ClusterPosition | undefined {
    const { position } = this.parts.bus;
    return this.reader.isCurrent && position !== undefined ? this.#latest(position) : this.#at;
  }

  /** Begins after what the reader has, or with the next message. */
  begin(after: StreamCursor | undefined): void {
    this.reader.recall(after?.given);
    this.#goOn(after && { epoch: after.epoch, number: after.number });
  }

  #goOn(after: ClusterPosition | undefined): void {
    // Messages before the record is read cannot be noted as missing, because the subscriptions of the session are not
    // known yet.
    this.#at = after ?? (this.#isUnread ? this.parts.bus.position : undefined);
    if (!this.#isReading && !this.#finish()) void this.#readOn();
  }

  /** Tells the reader that something is lost. */
  lose(): void {
    this.#miss();
    if (!this.#isReading) void this.#readOn();
  }

  close(): void {
    this.#isClosed = true;
  }

  get #isUnread(): boolean {
    return this.parts.session.shared?.isUnread === true;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      do {
        while (this.#isUnread && !this.#isClosed) await this.parts.whenRead();
        await this.#readPart().catch((error: unknown) => this.#fail(error));
      } while (!this.#isClosed && !this.#finish());
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads what was published until now. */
  async #readPart(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#isLossy) return this.#tellLoss();
    const { bus, session } = this.parts;
    const at = (this.#at ??= findPlaceBefore(this.reader.held));
    const until = bus.position;
    if (at === undefined) return;
    for await (const part of bus.replayInParts(NOTIFICATIONS, at, nameSharer(session))) {
      this.#failures = 0;
      for (const { body, position, name } of part) {
        if (this.#isClosed) return;
        if (!this.reader.pass(name, findJudgingProcess(session, body.to))) await this.#give(body, position);
        this.#at = position;
      }
    }
    this.#failures = 0;
    if (until !== undefined) this.#at = this.#latest(until);
  }

  /** What is gone is lost. Unreachable messages come when the log is back, before newer ones. */
  async #fail(error: unknown): Promise<void> {
    if (this.parts.bus.isConnected) this.#failures += 1;
    const isGone = error instanceof ClusterBusError && error.reason === 'gone';
    if (isGone || this.#failures > MOST_FAILURES) return this.#miss();
    // Not all readers at once.
    await delay(RETRY_MS * (1 + Math.random()), undefined, { ref: false });
  }

  /** Sends the rest to the reader if it is short and in memory. The reader then gets new messages at once. Tells whether that is so. */
  #finish(): boolean {
    const { bus } = this.parts;
    if (this.#isLossy || this.#isUnread) return false;
    const { position: newest } = bus;
    const at = (this.#at ??= findPlaceBefore(this.reader.held));
    const hasAll = at === undefined || (newest !== undefined && isUpTo(newest, at));
    const kept = hasAll ? [] : bus.replayBuffered(NOTIFICATIONS, at);
    const told = kept && this.#judgeAtOnce(kept);
    if (told === undefined) return false;
    for (const [announcement, scopes, position, name] of told) {
      if (!this.reader.pass(name, findJudgingProcess(this.parts.session, announcement.to)))
        this.reader.write(readNotification(announcement), scopes, position);
    }
    this.reader.catchUp(newest === undefined ? at : this.#latest(newest));
    this.reader.oweEarly(true);
    this.#giveUnplaced();
    return true;
  }

  /**
   * What this process was told before the reader came, and has no place yet, comes before what is told next. A reader that
   * is ahead of this process may have got it with its place elsewhere: it is given once the process knows what has a place.
   */
  #giveUnplaced(): void {
    const { position } = this.parts.bus;
    if (this.#at !== undefined && (position === undefined || !isUpTo(this.#at, position))) return;
    this.reader.oweEarly(false);
    for (const { body, name } of this.parts.bus.own.listPending(NOTIFICATIONS)) {
      const take = (scopes: RequiredScopes): void => {
        if (scopes === undefined || this.#isClosed) return;
        this.reader.take(readNotification(body), scopes, { name });
      };
      const judgement = this.#judge(body);
      if (judgement instanceof Promise) void judgement.then(take);
      else take(judgement);
    }
  }

  #judgeAtOnce(kept: readonly LogEntry<PublishedNotification>[]): readonly Told[] | undefined {
    const told: Told[] = [];
    for (const { body, position, name } of kept) {
      const judgement = this.#judge(body, position);
      if (judgement instanceof Promise || told.length === AT_ONCE) return undefined;
      if (judgement !== undefined) told.push([body, judgement, position, name]);
    }
    return told;
  }

  async #give(announcement: PublishedNotification, position: ClusterPosition): Promise<void> {
    const scopes = await this.#judge(announcement, position);
    if (scopes === undefined) return;
    await whenDrained(this.parts.response);
    this.reader.write(readNotification(announcement), scopes, position);
  }

  /** What comes from now on is given behind the notices. */
  #miss(): void {
    this.#isLossy = true;
    this.#failures = 0;
    this.reader.hold();
  }

  /** Only the last notice has an id. If the connection is lost before that, all are sent again. */
  async #tellLoss(): Promise<void> {
    this.#isLossy = false;
    const { session, bus } = this.parts;
    let last: readonly [PublishedNotification, readonly string[]] | undefined;
    for (const notice of listLossReports(session)) {
      const scopes = await this.#judge(notice);
      if (scopes === undefined) continue;
      await whenDrained(this.parts.response);
      if (last !== undefined) this.reader.tell(readNotification(last[0]), last[1]);
      last = [notice, scopes];
    }
    this.#at = findPlaceBefore(this.reader.held);
    const position = this.#at ?? bus.position;
    if (last === undefined) return;
    if (position === undefined) this.reader.tell(readNotification(last[0]), last[1]);
    else this.reader.write(readNotification(last[0]), last[1], position);
  }

  #judge(
    { to }: PublishedNotification,
    position?: ClusterPosition,
  ): RequiredScopes | Promise<RequiredScopes> {
    const { judge, session } = this.parts;
    return judge.find(session, to, position);
  }

  /** The client may be ahead of what this process was given. */
  #latest(position: ClusterPosition): ClusterPosition {
    return this.#at !== undefined && isUpTo(position, this.#at) ? this.#at : position;
  }
}

function findPlaceBefore(position: ClusterPosition): ClusterPosition;
function findPlaceBefore(position: ClusterPosition | undefined): ClusterPosition | undefined;
function findPlaceBefore(position: ClusterPosition | undefined): ClusterPosition | undefined {
  return position && { ...position, number: position.number - 1 };
}

/** Waits until a reader has taken what it was written, or is gone. */
function whenDrained(
  response: Pick<Writable, 'writableNeedDrain' | 'once' | 'off' | 'closed'>,
): Promise<void> | undefined {
  if (!response.writableNeedDrain || response.closed) return undefined;
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.once('drain', settle);
    response.once('close', settle);
  });
}
