import type { RedisLink } from '../clients/redis-link.interface.js';
import type { RedisScript } from '../scripts/redis-script.js';
import { inTime } from './in-time.js';
import { createClosedError, createReachError, readRedisError, RedisError } from './redis.error.js';

/** Commands that wait for an answer at once: those beyond are refused. */
const MOST_WAITING = 2_000;

/** Sends commands that are bounded: in time, and in how many of them wait. */
export class RedisCommands {
  /** Scripts that Redis was given, and has since. */
  readonly #known = new Set<RedisScript>();
  /** Commands that have no answer, given up or not: they are in the memory of the client. */
  #unanswered = 0;
  #connection = {};

  constructor(
    private readonly link: RedisLink,
    private readonly timeoutMs: number,
    /** Hears that Redis does not answer, before whoever asked. */
    private readonly onSilence: () => void,
  ) {}

  /** Whether Redis has answered everything that it was asked. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  /**
   * Runs a script.
   *
   * @throws {RedisError} when Redis refuses it, or does not answer in time
   */
  async run(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    values: readonly string[],
  ): Promise<unknown> {
    if (this.link.isClosed) throw createClosedError(this.link.failure);
    if (!this.link.isReady) throw createReachError(this.link.failure);
    if (this.#unanswered >= MOST_WAITING) throw new RedisError('busy', 'Too many commands wait for Redis');
    try {
      return await inTime(this.#count(this.#evaluate(script, keys, values)), this.timeoutMs);
    } catch (error) {
      const reason = readRedisError(error);
      if (reason.code === 'time') this.onSilence();
      throw this.#explain(reason);
    }
  }

  /** Begins again on another connection: it may be to another Redis, and clients may never answer what was asked over the one before. */
  begin(): void {
    this.#connection = {};
    this.#unanswered = 0;
    this.#known.clear();
  }

  /** A command that waited in vain for a connection says less than the connection does. */
  #explain(error: RedisError): RedisError {
    const { isReady, failure } = this.link;
    const isVague = error.code === 'time' || error.code === 'reach';
    return isVague && !isReady && failure !== undefined ? createReachError(failure) : error;
  }

  async #count(answer: Promise<unknown>): Promise<unknown> {
    const connection = this.#connection;
    this.#unanswered += 1;
    try {
      return await answer;
    } finally {
      if (connection === this.#connection) this.#unanswered -= 1;
    }
  }

  async #evaluate(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    values: readonly string[],
  ): Promise<unknown> {
    const rest = [`${keys.length}`, ...keys, ...values];
    if (this.#known.has(script)) {
      try {
        return await this.link.send(keys[0], ['EVALSHA', script.hash, ...rest]);
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      }
    }
    const answer = await this.link.send(keys[0], ['EVAL', script.text, ...rest]);
    this.#known.add(script);
    return answer;
  }
}
