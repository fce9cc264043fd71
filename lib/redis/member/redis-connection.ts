import { Logger } from '../../core/logger/logger.js';
import type {
  ClusterConnection,
  ClusterEntry,
  ClusterFailure,
  ClusterConnectionStats,
  ClusterMember,
  ClusterPosition,
  ClusterRecordChange,
} from '../../server/settings/cluster/cluster.interface.js';
import type { RedisLink } from '../clients/redis-link.js';
import { RedisCommands } from '../commands/redis-commands.js';
import { readRedisError, RedisError } from '../commands/redis.error.js';
import { LogReader } from '../log/log-reader.js';
import type { LogState } from '../log/log-entries.js';
import { WriteQueue } from '../log/write-queue.js';
import { LEAVE } from '../scripts/member.scripts.js';
import type { RedisScript } from '../scripts/redis-script.js';
import type { RedisSettings } from '../settings/redis-options.js';
import { OutageLog, type ThrottledLog } from './outage-log.js';
import { Heartbeat } from './heartbeat.js';
import { RedisKeys } from './redis-keys.js';
import { RedisOperations } from './redis-operations.js';
import { warnOfEviction } from './warn-of-eviction.js';
import { logError } from '../../core/log/describe-failure.js';

/** A connection's dependencies. */
export interface RedisConnectionParts {
  readonly link: RedisLink;
  readonly settings: RedisSettings;
  readonly log: ThrottledLog;
  /** Called when the connection opens or closes, and when an attempt to connect fails. */
  readonly onChange: () => void;
}

/** A process's connection to its cluster, over Redis. */
export class RedisConnection extends RedisOperations implements ClusterConnection {
  readonly #commands: RedisCommands;
  readonly #writes: WriteQueue;
  readonly #heartbeat: Heartbeat;
  readonly #outages: OutageLog;
  #reader: LogReader | undefined;
  /** The positions in the log and the inboxes at the last heartbeat. */
  #asked: ClusterPosition | undefined;
  #askedInboxes: ReadonlyMap<string, number> = new Map();
  #isConnected = false;
  #isClosed = false;
  #lagMs = 0;
  #connections = 0;
  #failure: RedisError | undefined;

  constructor(
    private readonly member: ClusterMember,
    private readonly parts: RedisConnectionParts,
  ) {
    super(new RedisKeys(parts.settings.prefix, member.server), member.id, parts.settings);
    const { link, settings } = parts;
    const { commandTimeoutMs, heartbeatMs, deadAfterMs } = settings;
    this.#outages = new OutageLog(parts.log, settings.prefix, member.server);
    this.#commands = new RedisCommands(link, commandTimeoutMs, () =>
      this.#heartbeat.fail(createTimeoutError()),
    );
    this.#writes = new WriteQueue(this.#commands, this.keys, settings);
    this.#heartbeat = new Heartbeat({
      link,
      commands: this.#commands,
      keys: this.keys,
      member: member.id,
      heartbeatMs,
      deadAfterMs,
      // The reader's connection may still lead to the earlier Redis.
      onLink: () => this.#reader?.check(),
      onAsk: () => {
        this.#asked = this.position;
        this.#askedInboxes = this.#reader?.inboxes ?? new Map();
      },
      onBeat: (state) => this.#takeBeat(state),
      onFailure: (error) => this.#fail(error),
    });
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get failure(): ClusterFailure | undefined {
    if (this.#isConnected || this.#failure === undefined) return undefined;
    const { reason, message } = this.#failure;
    return { reason, message };
  }

  get position(): ClusterPosition | undefined {
    const position = this.#reader?.cursor.position;
    return position && { epoch: position.epoch, number: position.number };
  }

  get now(): number {
    return Math.round(Date.now() + this.#heartbeat.aheadMs);
  }

  get countedMs(): number {
    return this.parts.settings.deadAfterMs;
  }

  get figures(): ClusterConnectionStats {
    const { writtenMicros = 0, gaps = 0 } = this.#reader?.cursor ?? {};
    const { replayed = 0 } = this.#reader ?? {};
    return {
      ...(writtenMicros > 0 && { lagMs: this.#lagMs }),
      reconnections: Math.max(this.#connections - 1, 0),
      replayed,
      gaps,
    };
  }

  append(text: string, change?: ClusterRecordChange): Promise<ClusterPosition> {
    return this.#ifConnected(() => this.#writes.write(text, change));
  }

  async change(change: ClusterRecordChange): Promise<void> {
    await this.#ifConnected(() => this.#writes.write(undefined, change));
  }

  /**
   * Logs that Redis is available, unless that has already been logged. Logs nothing before the application has
   * started.
   */
  logSuccess(): void {
    this.#outages.succeed();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const { members } = this.keys;
    const wasUp = this.#heartbeat.isUp;
    this.#isClosed = true;
    this.#isConnected = false;
    this.#heartbeat.close();
    this.#reader?.close();
    const leaving = () =>
      this.#commands.run(LEAVE, [members, this.keys.inbox(this.member.id)], [this.member.id]);
    if (wasUp) await leaving().catch(() => undefined);
  }

  protected run(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    values: readonly string[],
  ): Promise<unknown> {
    return this.#ifConnected(() => this.#commands.run(script, keys, values));
  }

  #ifConnected<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    if (this.#isClosed) return Promise.reject(new RedisError('closed', 'The process has left the cluster'));
    if (this.#heartbeat.isUp) return act();
    return Promise.reject(this.#failure ?? new RedisError('reach', 'Redis cannot be reached'));
  }

  #takeBeat(state: LogState): void {
    if (this.#reader === undefined) this.#reader = this.#createReader(state);
    else if (this.#isOther(state, this.#reader.cursor.position.epoch)) this.#reader.doubt();
    else this.#reader.limitInboxes(this.#askedInboxes, state.message);
    this.#update();
  }

  /** Returns whether Redis has a different log. Entries that were read after the heartbeat was sent do not count. */
  #isOther({ epoch, number }: LogState, read: string): boolean {
    const asked = this.#asked;
    if (asked?.epoch !== epoch) return epoch !== read;
    return number < asked.number;
  }

  #createReader(state: LogState): LogReader {
    const { member } = this;
    const { link, settings, log } = this.parts;
    return new LogReader(state, {
      source: link,
      keys: this.keys,
      member: member.id,
      timeoutMs: settings.commandTimeoutMs,
      onEntry: (entry) => this.#guard(() => this.#takeEntry(entry)),
      onMessage: (text) => this.#guard(() => member.onMessage(text)),
      onGap: () => {
        log.warn('gap', 'The log has lost entries that this process had not read yet: clients are notified');
        this.#guard(() => member.onGap());
        // After a flush, Redis knows the process again from its next heartbeat.
        void this.#heartbeat.beat();
      },
      heartbeat: this.#heartbeat,
      onCaughtUp: () => this.#update(),
      onFailure: (error) => this.#fail(error),
    });
  }

  #takeEntry(entry: ClusterEntry): void {
    const micros = this.#reader?.cursor.writtenMicros ?? 0;
    this.#lagMs = Math.max(0, Math.round(this.now - micros / 1000));
    this.member.onEntry(entry);
  }

  /** Calls a listener. If the listener throws, the other listeners and the connection continue. */
  #guard(listener: () => void): void {
    if (this.#isClosed) return;
    try {
      listener();
    } catch (error) {
      logError(new Logger('McpRedis'), error);
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#failure = readRedisError(error);
    this.#outages.fail(this.#failure);
    if (!this.#heartbeat.isUp) this.#reader?.doubt();
    this.#update();
  }

  #update(): void {
    const isConnected = this.#heartbeat.isUp && this.#reader?.isCaughtUp === true;
    if (isConnected !== this.#isConnected && !this.#isClosed) {
      this.#isConnected = isConnected;
      if (isConnected) {
        this.#connections += 1;
        void warnOfEviction(this.parts.link, this.keys.state);
        this.#outages.succeed();
      }
      this.#guard(() => this.member.onConnection(isConnected));
    }
    this.parts.onChange();
  }
}

function createTimeoutError(): RedisError {
  return new RedisError('time', 'Redis does not respond in time');
}
