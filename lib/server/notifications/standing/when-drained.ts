import type { Writable } from 'node:stream';

/** Waits until a reader has taken what it was written, or is gone. */
export function whenDrained(
  response: Pick<Writable, 'writableNeedDrain' | 'once' | 'off' | 'closed'>,
): Promise<void> | undefined {
  if (!response.writableNeedDrain || response.closed) return undefined;
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.once('drain', settle);
    response.once('close', settle);
  });
}
