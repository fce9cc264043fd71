import type { ServerResponse } from 'node:http';

/**
 * Keeps a connection open while nothing is sent, however short the application's time-out for sockets is (`server.setTimeout()`, Fastify's
 * `connectionTimeout`). Node sets its own time-outs for the next request of a connection. Those of HTTP/2 belong to all streams of one,
 * and sockets of serverless adapters may have none.
 */
export function outlastSilence({ req }: Pick<ServerResponse, 'req'>): void {
  const { socket, httpVersionMajor } = req;
  if (httpVersionMajor === 1 && socket.timeout !== undefined && socket.timeout > 0) socket.setTimeout(0);
}
