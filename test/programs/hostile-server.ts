/**
 * A server that attacks its clients. `/<attack>` answers lists and calls with one of `ATTACKS`, and everything else as a server should;
 * `/first/<attack>` attacks from the first request on. It prints its URL. With the argument `stdio` it writes a line without an end,
 * or with `stdio <name>` it answers with one of `RESULTS`.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { PassThrough, pipeline, Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createBrotliCompress, gzipSync } from 'node:zlib';

interface Asked {
  readonly method?: string;
  readonly id?: string | number;
  readonly params?: { readonly cursor?: string; readonly protocolVersion?: string };
}

type Attack = (response: ServerResponse, asked: Asked) => unknown;

const JSON_TYPE = { 'content-type': 'application/json' };
const STREAM_TYPE = { 'content-type': 'text/event-stream' };
const LONG_TEXT = { type: 'text', text: 'x'.repeat(5_000_000) };
const GET = { name: 'get', inputSchema: { type: 'object' } };
const PAGE = { name: 'a-tool', description: 'x'.repeat(1_000_000), inputSchema: { type: 'object' } };

/** Members of results, as JSON: small enough to be read, and most of them dear to validate. */
const RESULTS: Readonly<Record<string, () => string>> = {
  'wrong-content-of-90-kb': () => `"content":[${repeatText('{}', 30_000)}]`,
  'wrong-content': () => `"content":[${repeatText('{}', 2_600_000)}]`,
  'wrong-names-of-content': () => `"c\\u006fntent":[${repeatText('{}', 2_600_000)}]`,
  'wrong-audience': () =>
    `"content":[{"type":"text","text":"","annotations":{"audience":[${repeatText('1', 1_000_000)}]}}]`,
  'wrong-tools': () => `"tools":[${repeatText('{}', 2_600_000)}]`,
  'wrong-required': () =>
    `"tools":[{"name":"get","inputSchema":{"type":"object","required":[${repeatText('1', 3_000_000)}]}}]`,
  'many-schemas': () =>
    `"tools":[{"name":"get","inputSchema":{"type":"object","properties":{"a":[${repeatText('{}', 2_600_000)}]}}}]`,
  'many-properties': () => `"content":[],${listMembers(600_000)}`,
  'many-members': () => `"content":[]},${listMembers(600_000)},"x":{"y":1`,
  'deep-schema': () =>
    `"tools":[{"name":"get","inputSchema":{"type":"object","properties":{"a":${nest(100_000)}}}}]`,
  'deep-structure': () => `"content":[],"structuredContent":{"a":${nest(100_000)}}`,
  'legal-tools': () =>
    `"tools":${JSON.stringify(Array.from({ length: 5_000 }, (_, index) => createTool(index)))}`,
  'legal-structure': () => `"content":[],"structuredContent":{"a":[${repeatText('1', 200_000)}]}`,
  'legal-blocks': () => `"content":[${repeatText('{"type":"text","text":"a"}', 3_000)}]`,
};

function repeatText(value: string, count: number): string {
  return `${value},`.repeat(count - 1) + value;
}

function listMembers(count: number): string {
  return Array.from({ length: count }, (_, index) => `"p${index}":1`).join(',');
}

function nest(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

function createTool(index: number): object {
  const property = { type: 'string', description: 'what it is' };
  const properties = { a: property, b: property, c: property, d: property, e: property };
  const inputSchema = { type: 'object', properties, required: ['a', 'b'] };
  return { name: `tool-${index}`, description: 'does something', inputSchema };
}

/** Writes a result as its message. */
function writeResult(name: string, { id }: Asked): string {
  const start = JSON.stringify({ jsonrpc: '2.0', id }).slice(0, -1);
  return `${start},"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private",${RESULTS[name]?.()}}}`;
}

const ATTACKS: Readonly<Record<string, Attack>> = {
  'line-without-end': (response) => flood(response.writeHead(200, STREAM_TYPE), 'data: ', 'x'.repeat(65_536)),
  'event-without-end': (response) =>
    flood(response.writeHead(200, STREAM_TYPE), '', 'data: xxxxxxxx\n'.repeat(4_096)),
  'event-of-empty-lines': (response) =>
    flood(response.writeHead(200, STREAM_TYPE), '', 'data:\n'.repeat(10_000)),
  'resumable-line': (response) =>
    flood(response.writeHead(200, STREAM_TYPE), 'id: 1\nretry: 1\ndata:\n\ndata: ', 'x'.repeat(65_536)),
  'events-for-ever': (response) => flood(response.writeHead(200, STREAM_TYPE), '', NOTIFICATION.repeat(500)),
  'pings-for-ever': (response) => flood(response.writeHead(200, STREAM_TYPE), '', PING.repeat(500)),
  'json-without-end': (response, asked) =>
    flood(response.writeHead(200, JSON_TYPE), beginResult(asked), 'x'.repeat(65_536)),
  'gzip-bomb': (response, asked) => {
    const bomb = gzipSync('x'.repeat(4_000_000));
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    flood(response, gzipSync(beginResult(asked)), bomb);
  },
  'gzip-bomb-in-a-stream': (response) => {
    const bomb = gzipSync('x'.repeat(4_000_000));
    flood(response.writeHead(200, { ...STREAM_TYPE, 'content-encoding': 'gzip' }), gzipSync('data: '), bomb);
  },
  'brotli-bomb': (response, asked) => {
    const letters = new PassThrough();
    pipeline(letters, createBrotliCompress(), response, () => undefined);
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'br' });
    flood(letters, beginResult(asked), 'x'.repeat(1_000_000));
  },
  'refusal-without-end': (response) =>
    flood(response.writeHead(401, JSON_TYPE), '{"error":"', 'x'.repeat(65_536)),
  'fault-without-end': (response) =>
    flood(response.writeHead(400, JSON_TYPE), '{"error":"', 'x'.repeat(65_536)),
  'headers-without-end': ({ socket }) => socket && flood(socket, 'HTTP/1.1 200 OK\r\n', HEADERS),
  'trailers-without-end': ({ socket }) =>
    socket &&
    flood(
      socket,
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n0\r\n',
      HEADERS,
    ),
  'hints-without-end': ({ socket }) =>
    socket && flood(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
  'pages-without-end': (response, asked) => sendPage(response, asked, PAGE),
  'small-pages-without-end': (response, asked) => sendPage(response, asked, { ...PAGE, description: '' }),
  'empty-objects': (response, asked) => {
    const body = `${beginResult(asked).slice(0, -1)}"","structuredContent":{"x":[${'{},'.repeat(2_600_000)}{}]}}}`;
    response.writeHead(200, JSON_TYPE).end(body);
  },
  ...Object.fromEntries(
    Object.keys(RESULTS).flatMap((name): [string, Attack][] => [
      [name, (response, asked) => response.writeHead(200, JSON_TYPE).end(writeResult(name, asked))],
      [
        `${name}-stream`,
        (response, asked) =>
          response.writeHead(200, STREAM_TYPE).end(`data: ${writeResult(name, asked)}\n\n`),
      ],
    ]),
  ),
  legal: (response, asked) => sendResult(response, asked, { tools: [GET], content: [LONG_TEXT] }),
  'legal-stream': (response, asked) => {
    const result = { resultType: 'complete', content: [LONG_TEXT] };
    const message = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result });
    response.writeHead(200, STREAM_TYPE).end(`data: ${message}\n\n`);
  },
};

const NOTIFICATION = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n\n`;
const PING = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n\n`;
const HEADERS = `x-filler: ${'x'.repeat(1_000)}\r\n`.repeat(60);

/** Methods that are attacked; the others make the connection. */
const ATTACKED = /^(?:tools|resources|prompts|skills)\//;

/** The beginning of a result, in the middle of a text. */
function beginResult({ id }: Asked): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } }).slice(0, -2)},"x":"`;
}

/** Writes as fast as it is read, until nobody reads any more. */
function flood(target: Writable, start: string | Buffer, more: string | Buffer): void {
  target.on('error', () => undefined);
  Readable.from(repeat(start, more)).pipe(target);
}

function* repeat(start: string | Buffer, more: string | Buffer): Generator<Buffer> {
  if (start.length > 0) yield Buffer.from(start);
  const chunk = Buffer.from(more);
  for (;;) yield chunk;
}

function sendResult(response: ServerResponse, { id }: Asked, result: object): void {
  const whole = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result };
  response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: whole }));
}

function sendPage(response: ServerResponse, asked: Asked, tool: object): void {
  const { cursor = '0' } = asked.params ?? {};
  const entries = { tools: [tool], resources: [], resourceTemplates: [], prompts: [], skills: [] };
  sendResult(response, asked, { ...entries, content: [], nextCursor: String(Number(cursor) + 1) });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, ...steps] = (request.url ?? '').split('/');
  const attack = ATTACKS[steps.find((step) => step in ATTACKS) ?? ''];
  const asked = (request.method === 'POST' ? JSON.parse(await text(request)) : {}) as Asked;
  const isAttacked = steps.includes('first') || ATTACKED.test(asked.method ?? '');
  if (attack !== undefined && isAttacked) return void attack(response, asked);
  if (request.method !== 'POST') return void response.writeHead(405).end();
  if (asked.id === undefined) return void response.writeHead(202).end();
  sendResult(response, asked, describe(asked));
}

function describe(asked: Asked): object {
  const capabilities = {
    ...{ tools: {}, resources: {}, prompts: {} },
    extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
  };
  return {
    ...{ capabilities, serverInfo: { name: 'hostile', version: '1.0.0' } },
    protocolVersion: asked.params?.protocolVersion,
    supportedVersions: ['2026-07-28'],
  };
}

/** Answers on standard output what comes on standard input. */
async function answerLines(name: string): Promise<void> {
  for await (const line of createInterface(process.stdin)) {
    const asked = JSON.parse(line) as Asked;
    if (asked.id === undefined) continue;
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...describe(asked) };
    const plain = JSON.stringify({ jsonrpc: '2.0', id: asked.id, result });
    process.stdout.write(`${ATTACKED.test(asked.method ?? '') ? writeResult(name, asked) : plain}\n`);
  }
}

const [, , transport, named] = process.argv;
if (transport === 'stdio' && named !== undefined) {
  await answerLines(named);
} else if (transport === 'stdio') {
  flood(process.stdout, '{"jsonrpc":"2.0","x":"', 'x'.repeat(65_536));
} else {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
}
