import type { ServerResponse } from 'node:http';

/**
 * Calls a function if a client reads nothing for this long while data waits for it. Returns a function that stops the
 * timer. Node counts from the last bytes that the client took, of a single long write too.
 */
export function whenStalled(response: ServerResponse, timeoutMs: number, act: () => void): () => void {
  // Over HTTP/2 the stream has a time of its own, since other answers share the connection.
  if ('stream' in response) {
    response.setTimeout(timeoutMs, act);
    return () => void response.setTimeout(0, act);
  }
  const { socket } = response;
  // What stands in for a socket, as where requests are injected, may have no time-outs.
  if (typeof socket?.setTimeout !== 'function') return () => {};
  const previous = socket.timeout ?? 0;
  socket.setTimeout(timeoutMs);
  response.once('timeout', act);
  return () => {
    response.off('timeout', act);
    socket.setTimeout(previous);
  };
}
