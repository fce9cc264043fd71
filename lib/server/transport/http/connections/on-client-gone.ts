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
