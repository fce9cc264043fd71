import type { IncomingMessage } from 'node:http';

/** Sees to it that a body comes to its end in time, read or not: it keeps the connection as long as it lasts. */
export function awaitRest(request: IncomingMessage, timeoutMs: number, onLate: () => void): void {
  const timer = setTimeout(() => {
    if (!request.readableEnded) onLate();
  }, timeoutMs).unref();
  const stop = (): void => clearTimeout(timer);
  // Of these, HTTP/2 has the close of a request only when its answer is over.
  request.once('end', stop).once('close', stop);
}
