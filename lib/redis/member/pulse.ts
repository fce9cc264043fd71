import type { RedisLink } from '../clients/redis-link.js';
import type { RedisCommands } from '../commands/redis-commands.js';
import { createReachError } from '../commands/redis.error.js';
import { parseState, type LogState } from '../log/log-entries.js';
import { PULSE } from '../scripts/log.scripts.js';
import type { RedisKeys } from './redis-keys.js';

/** A connection that is dead may never answer. */
const GIVE_UP_MS = 10_000;

/** What a pulse stands on. */
export interface PulseParts {
  readonly link: RedisLink;
  readonly commands: RedisCommands;
  readonly keys: RedisKeys;
  readonly member: string;
  readonly heartbeatMs: number;
  readonly deadAfterMs: number;
  /** Is called when the connection has come, or leads elsewhere. */
  onLink(): void;
  /** Is called before each question to Redis. */
  onAsk(): void;
  /** Is called with each answer of Redis. */
  onBeat(state: LogState): void;
  /** Is called with the reason each time Redis turns out to be out of reach. */
  onFailure(error: unknown): void;
}

/** Tells Redis regularly that the process lives. The answers show whether Redis works. */
export class Pulse {
  isUp = false;
  /** Until when the process counts as alive by its latest sign of life, by the clock of Redis; 0 before the first. */
  aliveUntil = 0;
  /** Milliseconds by which the clock of Redis is ahead of the clock of this process. */
  aheadMs = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #forgets: readonly (() => void)[];
  #isBeating = false;
  #asked = 0;
  #isClosed = false;

  constructor(private readonly parts: PulseParts) {
    const { link, heartbeatMs } = parts;
    this.#timer = setInterval(() => void this.beat(), heartbeatMs).unref();
    this.#forgets = [link.keepFailures(), link.onChange(() => this.#look())];
    void this.beat();
  }

  /** Notes that Redis did not answer a command. Nothing but signs of life is sent until it answers again. */
  fail(error: unknown): void {
    this.isUp = false;
    if (!this.#isClosed) this.parts.onFailure(error);
  }

  /** Asks Redis, unless a question waits already. Tells whether Redis has answered. */
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
      const state = parseState(await commands.run(PULSE, pulsed, values));
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
    for (const forget of this.#forgets) forget();
  }

  /** Tells whether to wait for an answer: another question would only wait behind it. */
  #isWaiting(): boolean {
    const { commands } = this.parts;
    return !this.isUp && !commands.isIdle && performance.now() - this.#asked < GIVE_UP_MS;
  }

  #look(): void {
    const { link, commands } = this.parts;
    if (link.isReady) {
      commands.begin();
      this.parts.onLink();
      void this.beat();
    } else if (this.isUp) {
      this.fail(createReachError(link.failure, 'the connection is lost'));
    } else if (link.failure !== undefined) {
      // The start may not wait for the next beat.
      this.fail(createReachError(link.failure));
    }
  }
}
