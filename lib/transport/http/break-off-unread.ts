import type { ServerResponse } from 'node:http';

/**
 * Breaks a connection off whose client takes nothing for so long of an answer that is complete: until then it costs the
 * server what waits for it. Over HTTP/2 it is the stream that ends, since other answers share the connection.
 */
export function breakOffUnread(response: ServerResponse, timeoutMs: number): void {
  if (response.writableLength === 0) return;
  if ('stream' in response) return void response.setTimeout(timeoutMs, () => response.destroy());
  const { socket } = response;
  // It waits behind the answer to an earlier request on the same connection.
  if (socket === null) return void response.once('socket', () => breakOffUnread(response, timeoutMs));
  // What stands in for a socket, as where requests are injected, may have no time-outs.
  if (typeof socket?.setTimeout !== 'function') return;
  const previous = socket.timeout ?? 0;
  // Node counts from the last bytes that the client took.
  socket.setTimeout(timeoutMs);
  response.once('timeout', () => response.destroy());
  // Before Node's own listener, which gives the connection its time until the next request.
  response.prependOnceListener('finish', () => socket.setTimeout(previous));
}
