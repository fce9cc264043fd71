import { once } from 'node:events';
import type { RedisLink } from './redis-link.interface.js';
import { createClosedError, createReachError, RedisError } from '../commands/redis.error.js';

const CONNECT_MS = 5_000;

/**
 * Duplicates the client of the application, and waits until the connection is there.
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
      if (link.isClosed) throw createReachError(link.failure, 'no connection to read the log');
      await once(changes, 'change', { signal });
    }
  } catch (error) {
    if (error instanceof RedisError) throw error;
    throw new RedisError('time', `No connection to read the log came within ${CONNECT_MS} ms`);
  } finally {
    forget();
  }
}
