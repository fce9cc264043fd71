import { setTimeout as delay } from 'node:timers/promises';
import { computeDelay } from '../../core/async/retry.js';
import { withTimeout } from '../../core/async/timeouts.js';
import type { ClusterEntry } from '../../server/settings/cluster/cluster.interface.js';
import { openDuplicate } from '../clients/primary-link.js';
import type { RedisLink } from '../clients/redis-link.js';
import { readStrings } from '../commands/redis-commands.js';
import { createWrongRedisError, createTimeoutError, RedisError } from '../commands/redis.error.js';
import type { Heartbeat } from '../member/heartbeat.js';
import type { RedisKeys } from '../member/redis-keys.js';
import { RENEW } from '../scripts/log.scripts.js';
import { RECOGNIZE } from '../scripts/member.scripts.js';
import { parseStreams, type LogPosition, type LogState, type StreamEntry } from './log-entries.js';

/** A cursor's listeners. */
interface LogEvents {
  onEntry(entry: ClusterEntry): void;
  onGap(): void;
}

/** The log's state after an entry. */
type LogFinding = 'fine' | 'lost';

/** Follows the log, entry by entry, and detects gaps. */
class LogCursor {
  /** The number of gaps. */
  gaps = 0;
  /** When Redis wrote the newest entry, in microseconds on its clock; 0 before the first. */
  writtenMicros = 0;

  constructor(
    public position: LogPosition,
    private readonly events: LogEvents,
  ) {}

  /** Continues at the start of another log. All its entries are new. */
  begin(epoch: string): void {
    this.position = { epoch, number: 0, mark: undefined };
    this.#reportGap();
  }

  /**
   * Processes the next entry. Returns `lost` if the log has lost entries that were read before, or contains an entry
   * that no process can have written. In that case, no position in it is reliable.
   */
  take({ number, fields }: StreamEntry): LogFinding {
    if (!Number.isSafeInteger(number)) return 'lost';
    const before = this.position;
    const epoch = fields.get('e') ?? '';
    const mark = fields.get('m') ?? '';
    const isSame = epoch === before.epoch;
    const isNext = before.mark === undefined || number === before.number + 1;
    const follows = before.mark === undefined || fields.get('p') === before.mark;
    this.position = { epoch, number, mark };
    if (!isSame || !isNext || !follows) this.#reportGap();
    const text = fields.get('t');
    if (text !== undefined) {
      this.writtenMicros = Number(mark);
      this.events.onEntry({ position: { epoch, number }, text });
    }
    return isSame && isNext && !follows ? 'lost' : 'fine';
  }

  #reportGap(): void {
    this.gaps += 1;
    this.events.onGap();
  }
}

/** The maximum number of entries per read. */
const PAGE = 500;

/** How long Redis waits for an entry before it responds without one. */
const BLOCK_MS = 1_000;

/**
 * How many times the connection may miss the client's writes, because Redis may be flushed at any time and a proxy
 * may lag.
 */
const MOST_UNSEEN = 5;

const PAUSES = { initialDelayMs: 100, maxDelayMs: 2_000 };

/** A reader's dependencies. */
export interface LogReaderParts extends LogEvents {
  /** The application's client. The reader uses a duplicate of it. */
  readonly source: RedisLink;
  readonly keys: RedisKeys;
  readonly member: string;
  readonly timeoutMs: number;
  /** Sends heartbeats over the application's client. */
  readonly heartbeat: Pick<Heartbeat, 'aliveUntil' | 'beat'>;
  onMessage(text: string): void;
  /** Called when the reader has caught up, and when that becomes uncertain. */
  onCaughtUp(): void;
  onFailure(error: unknown): void;
}

/**
 * Reads the log and a process's inboxes over a separate connection. If that connection breaks, it continues at the
 * same entry.
 */
export class LogReader {
  /** Whether the reader has delivered all entries in Redis. */
  isCaughtUp = false;
  /** The number of entries delivered after a reconnection. */
  replayed = 0;
  readonly cursor: LogCursor;
  readonly #ended = new AbortController();
  readonly #inboxes: Map<string, number>;
  #link: RedisLink | undefined;
  #isDoubtful = true;
  #isFirst = true;
  #unseen = 0;

  constructor(
    { epoch, number, mark, message }: LogState,
    private readonly parts: LogReaderParts,
  ) {
    const { keys, member } = parts;
    this.cursor = new LogCursor({ epoch, number, mark }, parts);
    this.#inboxes = new Map([
      [keys.all, message],
      [keys.inbox(member), message],
    ]);
    void this.#run();
  }

  /** The position in each inbox. */
  get inboxes(): ReadonlyMap<string, number> {
    return new Map(this.#inboxes);
  }

  /** Moves positions beyond the newest sent message back to it, because another program wrote to those inboxes. */
  limitInboxes(read: ReadonlyMap<string, number>, sent: number): void {
    for (const [key, number] of read) if (number > sent) this.#inboxes.set(key, sent);
  }

  /** Makes the reader check whether the log is still the same. */
  check(): void {
    this.#isDoubtful = true;
  }

  /** Makes the reader check whether the log is still the same, and treats it as not caught up until then. */
  doubt(): void {
    this.check();
    this.isCaughtUp = false;
  }

  close(): void {
    this.#ended.abort();
    this.#link?.close();
  }

  async #run(): Promise<void> {
    for (let attempt = 0; !this.#ended.signal.aborted; attempt += 1) {
      try {
        await this.#follow(() => (attempt = 0));
      } catch (error) {
        if (this.#ended.signal.aborted) return;
        this.parts.onFailure(error);
      }
      const pauseMs = computeDelay(PAUSES, attempt);
      await delay(pauseMs, undefined, { signal: this.#ended.signal, ref: false }).catch(() => undefined);
    }
  }

  async #follow(onRead: () => void): Promise<void> {
    const link = await openDuplicate(this.parts.source, this.#ended.signal);
    this.#link = link;
    const forget = link.onChange(() => {
      if (!link.isReady) this.#lose();
    });
    try {
      this.doubt();
      while (!this.#ended.signal.aborted) {
        if (this.#isDoubtful) await this.#catchUp(link);
        else await this.#read(link, BLOCK_MS);
        onRead();
      }
    } finally {
      forget();
      link.close();
      this.#lose();
    }
  }

  #lose(): void {
    if (!this.isCaughtUp) return;
    this.isCaughtUp = false;
    this.parts.onCaughtUp();
  }

  async #catchUp(link: RedisLink): Promise<void> {
    this.#isDoubtful = false;
    if (!(await this.#isSameRedis(link)) || !(await this.#compare(link))) {
      this.#isDoubtful = true;
      this.#lose();
      await delay(PAUSES.initialDelayMs, undefined, { ref: false });
      return;
    }
    for (let count = PAGE; count === PAGE;) {
      count = await this.#read(link, 0);
      if (!this.#isFirst && !this.isCaughtUp) this.replayed += count;
    }
    if (this.#isDoubtful) return;
    this.#isFirst = false;
    this.isCaughtUp = true;
    this.parts.onCaughtUp();
  }

  /**
   * Returns whether this connection sees the client's writes.
   *
   * @throws {RedisError} if it leads elsewhere, such as to another database or to a replica
   */
  async #isSameRedis(link: RedisLink): Promise<boolean> {
    const { keys, member, heartbeat } = this.parts;
    const sign = [member, `${heartbeat.aliveUntil}`];
    if (Number(await this.#send(link, ['EVAL', RECOGNIZE.source, '1', keys.members, ...sign], 0)) === 1) {
      this.#unseen = 0;
      return true;
    }
    if (this.#unseen >= MOST_UNSEEN) throw createWrongRedisError();
    if (await heartbeat.beat()) this.#unseen += 1;
    return false;
  }

  /** Returns whether reading can continue. A log without entries that were read before is a different log. */
  async #compare(link: RedisLink): Promise<boolean> {
    const { keys } = this.parts;
    const answer = await this.#send(link, ['HMGET', keys.state, 'e', 'n'], 0);
    const [epoch, number] = readStrings(answer);
    if (epoch === undefined) return false;
    const { position } = this.cursor;
    if (epoch === position.epoch) {
      if (Number(number) >= position.number) return true;
      await this.#renew(link);
      return false;
    }
    this.cursor.begin(epoch);
    for (const key of this.#inboxes.keys()) this.#inboxes.set(key, 0);
    return true;
  }

  async #renew(link: RedisLink): Promise<void> {
    const { keys } = this.parts;
    const { epoch, number } = this.cursor.position;
    await this.#send(link, ['EVAL', RENEW.source, '2', keys.state, keys.log, epoch, `${number}`], 0);
  }

  /** Reads the next entries and messages. Returns the number of entries. */
  async #read(link: RedisLink, blockMs: number): Promise<number> {
    const { keys } = this.parts;
    const positions = new Map([[keys.log, this.cursor.position.number], ...this.#inboxes]);
    const block = blockMs === 0 ? [] : ['BLOCK', `${blockMs}`];
    const ids = [...positions.values()].map((number) => `${number}-0`);
    const command = ['XREAD', 'COUNT', `${PAGE}`, ...block, 'STREAMS', ...positions.keys(), ...ids];
    const found = [...parseStreams(await this.#send(link, command, blockMs))];
    let entries = 0;
    for (const [key, read] of found) {
      // Clients may prefix keys.
      const known = [...positions.keys()].find((name) => key.endsWith(name)) ?? '';
      if (known === keys.log) {
        entries = read.length;
        await this.#takeEntries(link, read);
      } else this.#takeMessages(known, read);
    }
    return entries;
  }

  async #takeEntries(link: RedisLink, entries: readonly StreamEntry[]): Promise<void> {
    const findings = entries.map((entry) => this.cursor.take(entry));
    if (!findings.includes('lost')) return;
    await this.#renew(link);
    this.#isDoubtful = true;
  }

  #takeMessages(key: string, messages: readonly StreamEntry[]): void {
    for (const { number, fields } of messages) {
      this.#inboxes.set(key, number);
      this.parts.onMessage(fields.get('t') ?? '');
    }
  }

  async #send(link: RedisLink, command: readonly string[], blockMs: number): Promise<unknown> {
    if (!link.isReady) throw new RedisError('reach', 'The connection for reading the log was lost');
    const longestMs = blockMs + this.parts.timeoutMs;
    return withTimeout(link.send(this.parts.keys.log, command), longestMs, () =>
      createTimeoutError(longestMs),
    );
  }
}
