import type { ServerResponse } from 'node:http';

/**
 * Breaks a connection off whose client takes nothing for so long of an answer that is complete: until then it costs the
 * server what waits for it.
 */
export function breakOffUnread(response: ServerResponse, timeoutMs: number): void {
  const { socket } = response;
  if (response.writableLength === 0 || socket === null) return;
  const previous = socket.timeout ?? 0;
  // Node counts from the last bytes that the client took.
  socket.setTimeout(timeoutMs);
  response.once('timeout', () => response.destroy());
  // Before Node's own listener, which gives the connection its time until the next request.
  response.prependOnceListener('finish', () => socket.setTimeout(previous));
}
