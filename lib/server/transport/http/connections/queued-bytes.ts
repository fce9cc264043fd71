import type { ServerResponse } from 'node:http';

/**
 * Counts the bytes of a response that its client has not taken yet. Adapters of serverless platforms bring sockets of their own, of
 * which Node's sum is not a number. They collect the whole response in memory, so nothing waits for a reader there.
 */
export function countQueuedBytes({ writableLength }: Pick<ServerResponse, 'writableLength'>): number {
  return Number.isFinite(writableLength) ? writableLength : 0;
}
