import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { ANNOUNCE_TOOL, buildResults, LIST_CHANGED } from './fixtures.js';
import { readSettings, reportReady } from './serve.js';

const { wire, tools, variant } = readSettings();
const results = buildResults(wire, tools);
/** The variant "raw" has made them beforehand. */
const tails = new Map(
  Object.entries(results).map(([method, result]) => [method, Buffer.from(`${JSON.stringify(result)}}`)]),
);
const streams = new Set<ServerResponse>();
let announced = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') return openStream(response);
  readJson(request, (message) => {
    if (message.params?.name === ANNOUNCE_TOOL.name) announce();
    if (variant === 'raw') return answerRaw(message, response);
    const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: results[message.method] });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => reportReady(server));

interface Message {
  id: number;
  method: string;
  params?: { name?: string };
}

function answerRaw({ id, method }: Message, response: ServerResponse): void {
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`);
  const tail = tails.get(method) ?? Buffer.from('{}}');
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': head.length + tail.length,
  });
  response.write(head);
  response.end(tail);
}

function readJson(request: IncomingMessage, onMessage: (message: Message) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => onMessage(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message));
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.flushHeaders();
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

/** Writes as many bytes as a server whose streams can be resumed, which gives every event an id. */
function announce(): void {
  announced += 1;
  const event = `event: message\nid: 1:${announced}\ndata: ${JSON.stringify(LIST_CHANGED)}\n\n`;
  for (const stream of streams) stream.write(event);
}
