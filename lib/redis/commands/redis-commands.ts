import { withTimeout } from '../../core/async/timeouts.js';
import type { RedisLink } from '../clients/redis-link.js';
import type { RedisScript } from '../scripts/redis-script.js';
import {
  createClosedError,
  createReachError,
  createTimeoutError,
  readRedisError,
  RedisError,
} from './redis.error.js';

/** The maximum number of pending commands. Further ones are rejected. */
const MOST_WAITING = 2_000;

/** Sends commands, each with a timeout, and limits how many are pending. */
export class RedisCommands {
  /** Scripts that Redis knows. */
  readonly #known = new Set<RedisScript>();
  /** Pending commands. Timed-out ones count too, because the client still holds them in memory. */
  #unanswered = 0;
  #connection = {};

  constructor(
    private readonly link: RedisLink,
    private readonly timeoutMs: number,
    /** Called if Redis does not respond in time, before the caller receives the error. */
    private readonly onSilence: () => void,
  ) {}

  /** Whether no command is pending. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  /**
   * Runs a script.
   *
   * @throws {RedisError} if Redis refuses the script, or does not respond in time
   */
  async run(
    script: RedisScript,
    keys: readonly [string, ...string[]],
    values: readonly string[],
  ): Promise<unknown> {
    if (this.link.isClosed) throw createClosedError(this.link.failure);
    if (!this.link.isReady) throw createReachError(this.link.failure);
    if (this.#unanswered >= MOST_WAITING)
      throw new RedisError('busy', 'Too many commands are waiting for Redis');
    try {
      return await withTimeout(this.#count(this.#evaluate(script, keys, values)), this.timeoutMs, () =>
        createTimeoutError(this.timeoutMs),
      );
    } catch (error) {
      const reason = readRedisError(error);
      if (reason.code === 'time') this.onSilence();
      throw this.#explain(reason);
    }
  }

  /**
   * Resets the state for a new connection, which may lead to a different Redis. Commands on the earlier connection
   * may never receive a response.
   */
  begin(): void {
    this.#connection = {};
    this.#unanswered = 0;
    this.#known.clear();
  }

  /** Replaces a command's vague error with the connection's more specific failure. */
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
    const answer = await this.link.send(keys[0], ['EVAL', script.source, ...rest]);
    this.#known.add(script);
    return answer;
  }
}

/** A string from Redis as clients return it; `null` or `undefined` if there is none. */
type Reply = string | number | Buffer | null | undefined;

/** Reads a string that a client returned. */
export function readString(reply: unknown): string | undefined {
  const text = reply as Reply;
  return text === null || text === undefined ? undefined : text.toString();
}

/** Reads a list of strings that a client returned. */
export function readStrings(reply: unknown): readonly (string | undefined)[] {
  return Array.isArray(reply) ? reply.map(readString) : [];
}

/** Reads a list of strings without missing ones. */
export function listStrings(reply: unknown): readonly string[] {
  return readStrings(reply).map((text = '') => text);
}
