import { inTime } from '../../core/waiting/in-time.js';
import type { RedisLink } from '../clients/redis-link.js';
import type { RedisScript } from '../scripts/redis-script.js';
import {
  createClosedError,
  createReachError,
  createSilenceError,
  readRedisError,
  RedisError,
} from './redis.error.js';

/** The most commands that may wait for an answer at once. Further ones are refused. */
const MOST_WAITING = 2_000;

/** Sends commands, each with a time limit. Bounds how many may wait for an answer. */
export class RedisCommands {
  /** Scripts that Redis knows. */
  readonly #known = new Set<RedisScript>();
  /** Commands without an answer. Abandoned ones count too, because the client keeps them in memory. */
  #unanswered = 0;
  #connection = {};

  constructor(
    private readonly link: RedisLink,
    private readonly timeoutMs: number,
    /** Is called if Redis does not answer in time, before the caller gets the error. */
    private readonly onSilence: () => void,
  ) {}

  /** Whether Redis has answered all commands. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  /**
   * Runs a script.
   *
   * @throws {RedisError} if Redis refuses the script, or does not answer in time
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
      return await inTime(this.#count(this.#evaluate(script, keys, values)), this.timeoutMs, () =>
        createSilenceError(this.timeoutMs),
      );
    } catch (error) {
      const reason = readRedisError(error);
      if (reason.code === 'time') this.onSilence();
      throw this.#explain(reason);
    }
  }

  /** Begins again on another connection, which may lead to another Redis. Commands of the earlier connection may never be answered. */
  begin(): void {
    this.#connection = {};
    this.#unanswered = 0;
    this.#known.clear();
  }

  /** Replaces a vague error of a command by the failure of the connection, which says more. */
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

/** A text of Redis as clients return it; `null` or `undefined` if there is none. */
type Reply = string | number | Buffer | null | undefined;

/** Reads a text that a client returned. */
export function readText(reply: unknown): string | undefined {
  const text = reply as Reply;
  return text === null || text === undefined ? undefined : text.toString();
}

/** Reads a list of texts that a client returned. */
export function readTexts(reply: unknown): readonly (string | undefined)[] {
  return Array.isArray(reply) ? reply.map(readText) : [];
}

/** Reads a list of texts of which none is missing. */
export function listTexts(reply: unknown): readonly string[] {
  return readTexts(reply).map((text = '') => text);
}
