import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAsked, type BarePart, type BareReply } from './bare-part.js';

/**
 * The process of the bare server: what a server is held against. It reads and parses what a request says, and writes bytes that are
 * there already. Nothing can serve HTTP from Node for less.
 */
let part: BarePart | undefined;
let body = Buffer.alloc(0);
const streams = new Set<ServerResponse>();

process.on('message', (given: BarePart) => {
  part = given;
  body = Buffer.from(given.body);
  reply({ isReady: true });
});
process.once('disconnect', () => process.exit());
// Ctrl-C reaches all processes of a terminal. The parent of this one ends it, after the pending requests.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

function reply(message: BareReply): void {
  process.send?.(message);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  // Others on this machine are not shown what a caller got.
  if (part === undefined || request.url !== part.path) return void response.writeHead(404).end();
  if (request.method === 'GET') return openStream(response);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(Buffer.concat(chunks).toString('utf8'), response));
}

function answer(text: string, response: ServerResponse): void {
  const message: unknown = JSON.parse(text);
  if (!isAsked(message) || part === undefined) return void response.writeHead(202).end();
  if (message.method === 'subscriptions/listen') return openStream(response);
  if (part.event !== undefined) for (const stream of streams) stream.write(part.event);
  const bytes = Buffer.from(body);
  if (part.idOffset >= 0) bytes.write(String(message.id), part.idOffset, 'latin1');
  response.writeHead(part.status, { ...part.headers, 'content-length': bytes.length });
  response.end(bytes);
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  response.flushHeaders();
  streams.add(response);
  response.once('close', () => streams.delete(response));
}

// Without its parent, it has nothing to serve.
if (process.send !== undefined) {
  const server = createServer(handle);
  // Its connections are idle as long as the other server has its turn.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => reply({ port: (server.address() as AddressInfo).port }));
}
