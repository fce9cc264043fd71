import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '../../../../core/logger/logger.js';
import { RefusalLog } from '../../../log/refusal-log.js';

/** Requests that may wait on one connection behind another. Clients of this protocol send one after the other. */
const MOST_WAITING = 64;

const LINE =
  `A connection was closed on which more than ${MOST_WAITING} requests waited behind another: ` +
  'see which client sends them without waiting for answers';

/** The servers that are watched: several MCP servers of one application watch it once. */
const watched = new WeakSet<object>();

/**
 * Closes a connection on which too many requests wait for the answer to an earlier one. Node takes as many of them as come, and keeps them
 * until that is sent: a client could open one stream, and have thousands wait behind it. They cannot be refused, since their answers would
 * wait too. Over HTTP/2 nothing waits for the answers of others.
 */
export function boundWaiting(server: Partial<Pick<Server, 'prependListener'>>): void {
  if (watched.has(server)) return;
  watched.add(server);
  const log = new RefusalLog(new Logger('McpHttpTransport'));
  const waiting = new WeakMap<Socket, number>();
  server.prependListener?.('request', (request: IncomingMessage, response: ServerResponse) => {
    // Node gives it the socket once its turn comes.
    if (response.socket !== null) return;
    const { socket, headers } = request;
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 0) - 1));
    if (count <= MOST_WAITING || socket.destroyed) return;
    log.tell(LINE, { http: { headers, request } });
    socket.destroy();
  });
}
