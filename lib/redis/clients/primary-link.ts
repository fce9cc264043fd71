import { once } from 'node:events';
import { Logger } from '../../core/logger/logger.js';
import { OncePerMinute } from '../../core/async/rate-limits.js';
import { createClosedError, createReachError, RedisError } from '../commands/redis.error.js';
import { isWriteRefusal, type LinkFailure, type RedisLink } from './redis-link.js';

/** The minimum number of milliseconds between two attempts to find the primary. */
const PAUSE_MS = 1_000;

/**
 * A link to the primary. After a failover, the application's client may stay connected to the old primary, which is
 * now a replica. Commands are then sent over a duplicate of that client, which connects to the new primary.
 */
export class PrimaryLink implements RedisLink {
  readonly #listeners = new Set<() => void>();
  readonly #logger = new Logger('McpRedis');
  readonly #due = new OncePerMinute();
  #duplicate: RedisLink | undefined;
  #opening: Promise<void> | undefined;
  #opened = -Infinity;
  /** Stops watching the duplicate. */
  #forget: () => void = () => undefined;

  constructor(private readonly source: RedisLink) {}

  get isReady(): boolean {
    return this.#current.isReady;
  }

  get isClosed(): boolean {
    return this.source.isClosed;
  }

  get failure(): LinkFailure | undefined {
    return this.source.failure;
  }

  recordFailures(): () => void {
    return this.source.recordFailures();
  }

  async send(key: string, command: readonly string[]): Promise<unknown> {
    const link = this.#current;
    try {
      return await this.#sendOver(link, key, command);
    } catch (error) {
      if (!isWriteRefusal(error)) throw error;
      await this.#reconnect(link);
      if (this.#current === link) throw error;
      return await this.#sendOver(this.#current, key, command);
    }
  }

  duplicate(): RedisLink {
    return this.source.duplicate();
  }

  onChange(listener: () => void): () => void {
    const forget = this.source.onChange(listener);
    this.#listeners.add(listener);
    return () => {
      forget();
      this.#listeners.delete(listener);
    };
  }

  /** Closes the duplicate, if there is one. The application closes its client. */
  close(): void {
    this.#forget();
    this.#duplicate?.close();
    this.#duplicate = undefined;
  }

  get #current(): RedisLink {
    return this.#duplicate ?? this.source;
  }

  async #sendOver(link: RedisLink, key: string, command: readonly string[]): Promise<unknown> {
    const answer = await link.send(key, command);
    if (link !== this.source && this.#due.isDue('replica')) {
      this.#logger.warn(
        'The Redis client is connected to a read-only replica: a duplicate that is connected to the primary is used instead',
      );
    }
    return answer;
  }

  /** Opens a duplicate, unless one was opened since the refusal, or a moment ago. */
  async #reconnect(link: RedisLink): Promise<void> {
    if (this.#opening === undefined) {
      if (link !== this.#current || performance.now() - this.#opened < PAUSE_MS) return;
      this.#opened = performance.now();
      this.#opening = this.#open().finally(() => (this.#opening = undefined));
    }
    // If this fails, the refusal is the better error.
    await this.#opening.catch(() => undefined);
  }

  async #open(): Promise<void> {
    const duplicate = await openDuplicate(this.source, new AbortController().signal);
    this.close();
    this.#duplicate = duplicate;
    const check = (): void => {
      if (duplicate.isReady && !this.source.isClosed) return;
      this.close();
      this.#notify();
    };
    const unsubscribes = [duplicate.onChange(check), this.source.onChange(check)];
    this.#forget = () => unsubscribes.forEach((forget) => forget());
    check();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

const CONNECT_MS = 5_000;

/**
 * Duplicates the application's client, and waits until it is connected.
 *
 * @throws {RedisError} if the client is closed, or does not connect in time
 */
export async function openDuplicate(source: RedisLink, signal: AbortSignal): Promise<RedisLink> {
  if (source.isClosed) throw createClosedError(source.failure);
  const link = source.duplicate();
  try {
    await waitUntilReady(link, AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]));
    return link;
  } catch (error) {
    link.close();
    throw error;
  }
}

async function waitUntilReady(link: RedisLink, signal: AbortSignal): Promise<void> {
  const changes = new EventTarget();
  const forget = link.onChange(() => changes.dispatchEvent(new Event('change')));
  try {
    while (!link.isReady) {
      if (link.isClosed) throw createReachError(link.failure, 'no connection for reading the log');
      await once(changes, 'change', { signal });
    }
  } catch (error) {
    if (error instanceof RedisError) throw error;
    throw new RedisError('time', `No connection for reading the log was established within ${CONNECT_MS} ms`);
  } finally {
    forget();
  }
}
