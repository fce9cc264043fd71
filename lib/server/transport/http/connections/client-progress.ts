import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Calls a listener when a response is finished or its client is gone; immediately if that has already happened.
 *
 * A pipelined response has no socket yet, and Node does not emit anything on it if the connection breaks, so its
 * request's socket is watched as well.
 */
export function onClientGone(response: ServerResponse, listener: () => void): void {
  if (isClientGone(response)) return listener();
  // `close` is emitted once, and `once` would allocate three more objects.
  if (response.socket !== null) return void response.on('close', listener);
  const { socket } = response.req;
  const listen = (): void => {
    response.off('close', listen);
    socket.off('close', listen);
    listener();
  };
  // A client can pipeline any number of requests.
  setMaxListeners(0, socket);
  response.once('close', listen);
  socket.once('close', listen);
}

/** Whether nothing more can reach a response's client. */
export function isClientGone({ destroyed, socket, req }: ServerResponse): boolean {
  return destroyed || (socket ?? req.socket).destroyed;
}

/**
 * Returns the queued bytes of a response. Serverless adapters use their own sockets, for which Node's sum is `NaN`. They
 * buffer the whole response, so nothing waits for a reader there.
 */
export function countQueuedBytes({ writableLength }: Pick<ServerResponse, 'writableLength'>): number {
  return Number.isFinite(writableLength) ? writableLength : 0;
}

/**
 * Destroys a finished response that its client does not read, because it occupies memory. Over HTTP/2, only the
 * stream is destroyed, because other responses share the connection.
 */
export function destroyIfUnread(response: ServerResponse, timeoutMs: number): void {
  if (countQueuedBytes(response) === 0) return;
  // It is pipelined behind an earlier response.
  if (response.socket === null) {
    return void response.once('socket', () => destroyIfUnread(response, timeoutMs));
  }
  const stopClock = onStalled(response, timeoutMs, () => response.destroy());
  // Runs before Node's listener, which sets the keep-alive timeout.
  response.prependOnceListener('finish', stopClock);
}

/**
 * Calls a function if the client reads nothing for this long while bytes are queued. Returns a function that stops
 * the timer. Node restarts the timeout with every byte read, even within one long write.
 */
export function onStalled(response: ServerResponse, timeoutMs: number, act: () => void): () => void {
  // Over HTTP/2, the stream has its own timeout, because other responses share the connection.
  if ('stream' in response) {
    response.setTimeout(timeoutMs, act);
    return () => void response.setTimeout(0, act);
  }
  const { socket } = response;
  // Substitute sockets, such as those for injected requests, may have no timeouts.
  if (typeof socket?.setTimeout !== 'function') return () => {};
  const previous = socket.timeout ?? 0;
  socket.setTimeout(timeoutMs);
  response.once('timeout', act);
  return () => {
    response.off('timeout', act);
    socket.setTimeout(previous);
  };
}
