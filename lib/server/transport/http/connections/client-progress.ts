import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Is called when a response is over: its client is gone, or has all of it. If it is already over, the listener is called at
 * once.
 *
 * A response that waits behind another one on the same connection has no socket yet. When the connection breaks, Node tells it
 * nothing, so its request's socket is asked as well.
 */
export function onClientGone(response: ServerResponse, listener: () => void): void {
  if (isClientGone(response)) return listener();
  // A response says so once, and `once` would keep three objects more as long as it lasts.
  if (response.socket !== null) return void response.on('close', listener);
  const { socket } = response.req;
  const hear = (): void => {
    response.off('close', hear);
    socket.off('close', hear);
    listener();
  };
  // As many requests may wait on one connection as the client likes to send.
  setMaxListeners(0, socket);
  response.once('close', hear);
  socket.once('close', hear);
}

/** Tells whether nothing that is written to a response reaches its client any more. */
export function isClientGone({ destroyed, socket, req }: ServerResponse): boolean {
  return destroyed || (socket ?? req.socket).destroyed;
}

/**
 * Counts the bytes of a response that its client has not taken yet. Adapters of serverless platforms bring sockets of their own, of
 * which Node's sum is not a number. They collect the whole response in memory, so nothing waits for a reader there.
 */
export function countQueuedBytes({ writableLength }: Pick<ServerResponse, 'writableLength'>): number {
  return Number.isFinite(writableLength) ? writableLength : 0;
}

/**
 * Closes a connection if its client does not read a complete answer for this long, because the unread answer takes
 * memory. Over HTTP/2 it is the stream that ends, since other answers share the connection.
 */
export function destroyIfUnread(response: ServerResponse, timeoutMs: number): void {
  if (countQueuedBytes(response) === 0) return;
  // It waits behind the answer to an earlier request on the same connection.
  if (response.socket === null) {
    return void response.once('socket', () => destroyIfUnread(response, timeoutMs));
  }
  const stopClock = onStalled(response, timeoutMs, () => response.destroy());
  // Before Node's own listener, which gives the connection its time until the next request.
  response.prependOnceListener('finish', stopClock);
}

/**
 * Calls a function if a client reads nothing for this long while data waits for it. Returns a function that stops the
 * timer. Node counts from the last bytes that the client took, of a single long write too.
 */
export function onStalled(response: ServerResponse, timeoutMs: number, act: () => void): () => void {
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
