import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '../../core/logger/logger.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import { openDuplicate } from '../clients/primary-link.js';
import type { RedisLink } from '../clients/redis-link.js';
import { readString } from '../commands/redis-commands.js';
import { createWrongRedisError, WRONG_REDIS, RedisError } from '../commands/redis.error.js';
import { parseStreams } from '../log/log-entries.js';

/** The maximum number of changes per read. */
const PAGE = 500;

/** How long Redis waits for a change before it responds without one. */
const BLOCK_MS = 1000;

const PAUSE_MS = 1000;

/** How many times a connection may miss the client's write, and how long that write is stored. */
const MOST_ATTEMPTS = 5;
const SIGN_MS = 10_000;

/** The maximum number of digits in an id's timestamp: enough for thousands of years. */
const LONGEST_TIME = 14;

/** Reads which tasks have changed over a separate connection, for as long as there are watchers. */
export class TaskChanges {
  /** Stops the recording of failures that began before the first watcher. */
  readonly #forgetEarly: () => void;
  readonly #logger = new Logger('McpTasks');
  readonly #due = new OncePerMinute();

  constructor(
    private readonly source: RedisLink,
    private readonly key: string,
  ) {
    this.#forgetEarly = source.recordFailures();
  }

  /** Calls a listener for each further change. Returns a function that removes the listener. */
  watch(changed: (taskId: string) => void): () => void {
    const ended = new AbortController();
    const forget = this.source.recordFailures();
    this.#forgetEarly();
    void this.#run(changed, ended.signal);
    return () => {
      ended.abort();
      forget();
    };
  }

  /** Reconnects after a loss, and continues after the last change that it read. */
  async #run(changed: (taskId: string) => void, signal: AbortSignal): Promise<void> {
    let last = '$';
    const take = (id: string, taskId: string): void => {
      last = id;
      changed(taskId);
    };
    while (!signal.aborted) {
      await this.#follow(() => last, take, signal).catch((error: unknown) => this.#warnOf(error));
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Lost connections are reopened, but a connection to a different Redis cannot recover. */
  #warnOf(error: unknown): void {
    if (error instanceof RedisError && error.reason === WRONG_REDIS && this.#due.isDue(WRONG_REDIS)) {
      this.#logger.warn(`Task changes made by other processes are not detected: ${error.message}`);
    }
  }

  /** @throws {RedisError} if the connection does not see the client's writes */
  async #assertSameRedis(link: RedisLink): Promise<void> {
    const sign = randomUUID();
    const key = `${this.key}:${sign}`;
    await this.source.send(key, ['SET', key, sign, 'PX', `${SIGN_MS}`]);
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      if (readString(await link.send(key, ['GET', key])) === sign) return;
      await delay(PAUSE_MS / MOST_ATTEMPTS, undefined, { ref: false });
    }
    throw createWrongRedisError();
  }

  async #follow(
    after: () => string,
    take: (id: string, taskId: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const link = await openDuplicate(this.source, signal);
    const close = (): void => link.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      await this.#assertSameRedis(link);
      while (!signal.aborted) {
        const command = ['XREAD', 'COUNT', `${PAGE}`, 'BLOCK', `${BLOCK_MS}`, 'STREAMS', this.key, after()];
        const [read = []] = parseStreams(await link.send(this.key, command)).values();
        // Redis derives ids from its clock. An id so far ahead was written by another program, and no id could follow it.
        const isForeign = read.some(({ id }) => id.indexOf('-') > LONGEST_TIME);
        if (isForeign) await link.send(this.key, ['DEL', this.key]);
        for (const { id, fields } of read) take(isForeign ? '0' : id, fields.get('t') ?? '');
      }
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }
}
