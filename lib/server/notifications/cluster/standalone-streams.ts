import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClusterBus,
  ClusterBusError,
  type EntryName,
  type LogEntry,
} from '../../cluster/cluster-bus.js';
import { isUpTo } from '../../cluster/position.js';
import { nameSharer } from '../../sessions/caller-shares.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { Session } from '../../sessions/session.js';
import type { SharedPart } from '../../sessions/shared/shared-part.js';
import type { SharedSessions } from '../../sessions/shared/shared-sessions.js';
import { StandaloneReader } from '../../sessions/streams/standalone-reader.js';
import type { StreamCursor } from '../../sessions/streams/stream-cursor.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import {
  findJudgingProcess,
  NOTIFICATIONS,
  readNotification,
  type PublishedNotification,
} from '../audience.js';
import type { NotificationScopes, RequiredScopes } from '../notification-scopes.js';
import { listLossReports } from './loss-reporter.js';
import type { StreamClaim, StreamClaims } from './stream-claims.js';

/** Milliseconds between two attempts to read the record of a session with an open stream. */
const RECORD_RETRY_MS = 500;

/** Writes a stream's response. */
export interface StreamWriter {
  readonly response: StandaloneStreamParts['response'];
  /** Ends the stream, specifying when the client should reconnect. */
  dismiss(): void;
}

/**
 * The standalone SSE streams that this process serves, on a server with several processes. Sessions without such a
 * stream cost nothing.
 */
export class StandaloneStreams {
  readonly #streams = new Map<StreamClaim, StandaloneStream>();

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly claims: StreamClaims,
    private readonly scopes: NotificationScopes,
    private readonly shared: SharedSessions,
  ) {}

  /** Sends missed and new messages to a reader until {@link end} is called. */
  begin(claim: StreamClaim, { response, dismiss }: StreamWriter): void {
    const { session, begin } = claim;
    const { shared } = session;
    if (shared === undefined) return;
    const whenRead = () => this.#whenRead(claim, shared);
    const { bus, scopes } = this;
    const stream = new StandaloneStream({ session, bus, scopes, whenRead, response });
    claim.dismiss = dismiss;
    this.#streams.set(claim, stream);
    // A client opens the stream only after it has confirmed initialization, possibly to another process.
    this.sessions.confirm(session);
    shared.reader = stream.reader;
    this.sessions.recipients.add(session);
    stream.begin(begin);
  }

  end(claim: StreamClaim): void {
    const { session } = claim;
    const stream = this.#streams.get(claim);
    this.#streams.delete(claim);
    stream?.close();
    if (session.shared !== undefined && session.shared.reader === stream?.reader) {
      session.shared.reader = undefined;
      this.sessions.recipients.remove(session);
    }
    this.claims.release(claim, stream === undefined ? claim.begin : stream.read);
  }

  /** Reports to every reader that messages may have been lost. */
  reportLoss(): void {
    for (const stream of this.#streams.values()) stream.reportLoss();
  }

  /** Returns the cursor of the reader that holds a claim. */
  findRead(claim: StreamClaim): StreamCursor | undefined {
    return this.#streams.get(claim)?.read;
  }

  /**
   * Reads a session's record, if it was unknown when the stream started or changes were missed since then. Requests
   * do this too, but a client that only listens sends none. It never rejects.
   */
  async #whenRead(claim: StreamClaim, part: SharedPart): Promise<void> {
    for (;;) {
      await this.shared.recoverLate(claim.session);
      if (!part.isUnread || !this.#streams.has(claim)) return;
      // Spreads the load from many streams.
      await delay(RECORD_RETRY_MS * (1 + Math.random()), undefined, { ref: false });
    }
  }
}

/** The maximum number of messages to write without waiting for the reader to drain them. */
const BATCH = 64;

/** Milliseconds until reading the log is retried. */
const RETRY_MS = 500;

/** The number of failed attempts to read a connected log after which its messages are reported as lost. */
const MOST_FAILURES = 10;

export interface StandaloneStreamParts {
  readonly session: Session;
  readonly bus: Pick<
    ClusterBus,
    'position' | 'isConnected' | 'listPending' | 'replayBuffered' | 'replayInParts'
  >;
  readonly scopes: Pick<NotificationScopes, 'find'>;
  /** Waits until the session's record has been read, without which audiences cannot be checked. It never rejects. */
  readonly whenRead: () => Promise<void>;
  readonly response: Pick<Writable, 'writableNeedDrain' | 'once' | 'off' | 'closed'>;
}

type Selected = readonly [
  published: PublishedNotification,
  scopes: readonly string[],
  position: ClusterPosition,
  name: EntryName,
];

/**
 * Sends published notifications to the reader of one standalone SSE stream, in order and exactly once. It replays
 * missed ones from the log, as fast as the client reads, and then sends new ones. It waits while the log is
 * disconnected. Messages that were evicted from the log are reported as lost, never skipped.
 */
export class StandaloneStream {
  readonly reader: StandaloneReader;
  /** The position up to which the reader has everything. Absent if {@link StandaloneReader.held} is next. */
  #position: ClusterPosition | undefined;
  #isReading = false;
  #isLossy = false;
  #isClosed = false;
  #failures = 0;

  constructor(private readonly parts: StandaloneStreamParts) {
    const { session } = parts;
    this.reader = new StandaloneReader({
      streams: session.streams,
      onDelay: (position) => this.#continueAfter(findPositionBefore(position)),
      findRead: () => this.#read,
      onEarly: () => this.#sendPending(),
      before: session.shared?.before,
    });
  }

  /** The reader's cursor. */
  get read(): StreamCursor | undefined {
    const read = this.#read;
    const { given } = this.reader;
    return read && (given === '' ? read : { ...read, given });
  }

  get #read(): ClusterPosition | undefined {
    const { position } = this.parts.bus;
    return this.reader.isCurrent && position !== undefined ? this.#latest(position) : this.#position;
  }

  /** Starts after the reader's cursor, or with the next message. */
  begin(after: StreamCursor | undefined): void {
    this.reader.recall(after?.given);
    this.#continueAfter(after && { epoch: after.epoch, number: after.number });
  }

  #continueAfter(after: ClusterPosition | undefined): void {
    // Until the record is read, the session's subscriptions are unknown, so the reader cannot record what it misses.
    this.#position = after ?? (this.#isUnread ? this.parts.bus.position : undefined);
    if (!this.#isReading && !this.#catchUp()) void this.#replay();
  }

  /** Reports to the reader that messages may have been lost. */
  reportLoss(): void {
    this.#noteLoss();
    if (!this.#isReading) void this.#replay();
  }

  close(): void {
    this.#isClosed = true;
  }

  get #isUnread(): boolean {
    return this.parts.session.shared?.isUnread === true;
  }

  async #replay(): Promise<void> {
    this.#isReading = true;
    try {
      do {
        while (this.#isUnread && !this.#isClosed) await this.parts.whenRead();
        await this.#replayPart().catch((error: unknown) => this.#fail(error));
      } while (!this.#isClosed && !this.#catchUp());
    } finally {
      this.#isReading = false;
    }
  }

  /** Replays the messages published so far. */
  async #replayPart(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#isLossy) return this.#sendLossReports();
    const { bus, session } = this.parts;
    const at = (this.#position ??= findPositionBefore(this.reader.held));
    const until = bus.position;
    if (at === undefined) return;
    for await (const part of bus.replayInParts(NOTIFICATIONS, at, nameSharer(session))) {
      this.#failures = 0;
      for (const { body, position, name } of part) {
        if (this.#isClosed) return;
        if (!this.reader.pass(name, findJudgingProcess(session, body.to))) await this.#send(body, position);
        this.#position = position;
      }
    }
    this.#failures = 0;
    if (until !== undefined) this.#position = this.#latest(until);
  }

  /**
   * Evicted messages are lost. If the log is disconnected, its messages follow once it has reconnected, before newer
   * ones.
   */
  async #fail(error: unknown): Promise<void> {
    if (this.parts.bus.isConnected) this.#failures += 1;
    const isGone = error instanceof ClusterBusError && error.reason === 'gone';
    if (isGone || this.#failures > MOST_FAILURES) return this.#noteLoss();
    // Spreads the load from many readers.
    await delay(RETRY_MS * (1 + Math.random()), undefined, { ref: false });
  }

  /**
   * Sends the rest if it is short and in memory, and then lets the reader receive new messages directly. Returns
   * whether it did.
   */
  #catchUp(): boolean {
    const { bus } = this.parts;
    if (this.#isLossy || this.#isUnread) return false;
    const { position: newest } = bus;
    const at = (this.#position ??= findPositionBefore(this.reader.held));
    const hasAll = at === undefined || (newest !== undefined && isUpTo(newest, at));
    const buffered = hasAll ? [] : bus.replayBuffered(NOTIFICATIONS, at);
    const selected = buffered && this.#selectSync(buffered);
    if (selected === undefined) return false;
    for (const [published, scopes, position, name] of selected) {
      if (!this.reader.pass(name, findJudgingProcess(this.parts.session, published.to)))
        this.reader.write(readNotification(published), scopes, position);
    }
    this.reader.catchUp(newest === undefined ? at : this.#latest(newest));
    this.reader.setEarlyPending(true);
    this.#sendPending();
    return true;
  }

  /**
   * Sends the messages that this process published before the stream started and that the log has not stored yet,
   * before anything newer. A reader that is ahead of this process may have received them from another one, so it
   * waits until this process has caught up.
   */
  #sendPending(): void {
    const { position } = this.parts.bus;
    if (this.#position !== undefined && (position === undefined || !isUpTo(this.#position, position))) return;
    this.reader.setEarlyPending(false);
    for (const { body, name } of this.parts.bus.listPending(NOTIFICATIONS)) {
      const send = (scopes: RequiredScopes): void => {
        if (scopes === undefined || this.#isClosed) return;
        this.reader.take(readNotification(body), scopes, { name });
      };
      const scopes = this.#findScopes(body);
      if (scopes instanceof Promise) void scopes.then(send);
      else send(scopes);
    }
  }

  #selectSync(buffered: readonly LogEntry<PublishedNotification>[]): readonly Selected[] | undefined {
    const selected: Selected[] = [];
    for (const { body, position, name } of buffered) {
      const scopes = this.#findScopes(body, position);
      if (scopes instanceof Promise || selected.length === BATCH) return undefined;
      if (scopes !== undefined) selected.push([body, scopes, position, name]);
    }
    return selected;
  }

  async #send(published: PublishedNotification, position: ClusterPosition): Promise<void> {
    const scopes = await this.#findScopes(published, position);
    if (scopes === undefined) return;
    await whenDrained(this.parts.response);
    this.reader.write(readNotification(published), scopes, position);
  }

  /** New messages follow after the loss reports. */
  #noteLoss(): void {
    this.#isLossy = true;
    this.#failures = 0;
    this.reader.hold();
  }

  /** Only the last report has an event id. If the connection is lost before that, all of them are resent. */
  async #sendLossReports(): Promise<void> {
    this.#isLossy = false;
    const { session, bus } = this.parts;
    let last: readonly [PublishedNotification, readonly string[]] | undefined;
    for (const report of listLossReports(session)) {
      const scopes = await this.#findScopes(report);
      if (scopes === undefined) continue;
      await whenDrained(this.parts.response);
      if (last !== undefined) this.reader.send(readNotification(last[0]), last[1]);
      last = [report, scopes];
    }
    this.#position = findPositionBefore(this.reader.held);
    const position = this.#position ?? bus.position;
    if (last === undefined) return;
    if (position === undefined) this.reader.send(readNotification(last[0]), last[1]);
    else this.reader.write(readNotification(last[0]), last[1], position);
  }

  #findScopes(
    { to }: PublishedNotification,
    position?: ClusterPosition,
  ): RequiredScopes | Promise<RequiredScopes> {
    const { scopes, session } = this.parts;
    return scopes.find(session, to, position);
  }

  /** The client may be ahead of this process. */
  #latest(position: ClusterPosition): ClusterPosition {
    return this.#position !== undefined && isUpTo(position, this.#position) ? this.#position : position;
  }
}

function findPositionBefore(position: ClusterPosition): ClusterPosition;
function findPositionBefore(position: ClusterPosition | undefined): ClusterPosition | undefined;
function findPositionBefore(position: ClusterPosition | undefined): ClusterPosition | undefined {
  return position && { ...position, number: position.number - 1 };
}

/** Waits until a response has drained or closed. */
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
