import type { RedisLink } from '../clients/redis-link.js';
import type { RedisCommands } from '../commands/redis-commands.js';
import { createReachError } from '../commands/redis.error.js';
import { parseState, type LogState } from '../log/log-entries.js';
import { HEARTBEAT } from '../scripts/log.scripts.js';
import type { RedisKeys } from './redis-keys.js';

/** Milliseconds to wait for a response. A dead connection may never respond. */
const GIVE_UP_MS = 10_000;

/** A heartbeat's dependencies. */
export interface HeartbeatParts {
  readonly link: RedisLink;
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
  readonly member: string;
  readonly heartbeatMs: number;
  readonly deadAfterMs: number;
  /** Called when the connection is ready, or has changed. */
  onLink(): void;
  /** Called before each heartbeat. */
  onAsk(): void;
  /** Called with each response from Redis. */
  onBeat(state: LogState): void;
  /** Called with the reason each time Redis is unavailable. */
  onFailure(error: unknown): void;
}

/** Sends heartbeats to Redis. The responses show whether Redis works. */
export class Heartbeat {
  isUp = false;
  /**
   * When the process will be considered dead unless it sends another heartbeat, on the Redis clock; 0 before the
   * first.
   */
  aliveUntil = 0;
  /** The number of milliseconds by which the Redis clock is ahead of this process's clock. */
  aheadMs = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribes: readonly (() => void)[];
  #isBeating = false;
  #asked = 0;
  #isClosed = false;

  constructor(private readonly parts: HeartbeatParts) {
    const { link, heartbeatMs } = parts;
    this.#timer = setInterval(() => void this.beat(), heartbeatMs).unref();
    this.#unsubscribes = [link.recordFailures(), link.onChange(() => this.#check())];
    void this.beat();
  }

  /** Records that Redis did not respond to a command. Only heartbeats are sent until it responds again. */
  fail(error: unknown): void {
    this.isUp = false;
    if (!this.#isClosed) this.parts.onFailure(error);
  }

  /** Sends a heartbeat, unless one is pending. Returns whether Redis has responded. */
  async beat(): Promise<boolean> {
    if (this.#isBeating || this.#isClosed || this.#isWaiting()) return false;
    this.#isBeating = true;
    this.#asked = performance.now();
    const { commands, keys, member, deadAfterMs } = this.parts;
    const values = [member, `${deadAfterMs}`];
    this.parts.onAsk();
    try {
      const begun = Date.now();
      const pulsed = [keys.state, keys.log, keys.members, keys.all, keys.inbox(member)] as const;
      const state = parseState(await commands.run(HEARTBEAT, pulsed, values));
      if (this.#isClosed) return false;
      this.aheadMs = state.micros / 1000 - (begun + Date.now()) / 2;
      this.aliveUntil = Math.floor(state.micros / 1000) + deadAfterMs;
      this.isUp = true;
      this.parts.onBeat(state);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    } finally {
      this.#isBeating = false;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.isUp = false;
    clearInterval(this.#timer);
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
  }

  /** Returns whether to wait for pending commands, because a heartbeat would be queued behind them. */
  #isWaiting(): boolean {
    const { commands } = this.parts;
    return !this.isUp && !commands.isIdle && performance.now() - this.#asked < GIVE_UP_MS;
  }

  #check(): void {
    const { link, commands } = this.parts;
    if (link.isReady) {
      commands.begin();
      this.parts.onLink();
      void this.beat();
    } else if (this.isUp) {
      this.fail(createReachError(link.failure, 'the connection is lost'));
    } else if (link.failure !== undefined) {
      // Report it immediately, because startup may be waiting for it.
      this.fail(createReachError(link.failure));
    }
  }
}
