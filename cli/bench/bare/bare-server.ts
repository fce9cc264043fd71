import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isAsked, type BarePart, type BareReply } from './bare-part.js';

/**
 * The process of the baseline server that the measured server is compared with. It reads and parses each request,
 * and writes prepared bytes. No HTTP server on Node can do less.
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
// Ctrl-C reaches all processes of a terminal. The parent process kills this one after the pending requests.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);

function reply(message: BareReply): void {
  process.send?.(message);
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  // Other users of this machine must not see the responses.
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

// Without a parent process, there is nothing to serve.
if (process.send !== undefined) {
  const server = createServer(handle);
  // Its connections are idle during the measured server's turns.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => reply({ port: (server.address() as AddressInfo).port }));
}
