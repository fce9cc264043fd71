import type { Dice } from '../support/dice.js';
import { makeBody } from './malformed-bodies.js';

/** What a request may name that is really there. */
export interface RealNames {
  readonly sessionId: string;
  /** Absent where HTTP+SSE is not served. */
  readonly streamId?: string;
}

type MakeValue = (dice: Dice, names: RealNames) => string;

/** A text that is often taken, sometimes nearly, and often not at all. */
function oneOf(...values: readonly (string | MakeValue)[]): MakeValue {
  return (dice, names) => {
    const value = dice.pick(values);
    return typeof value === 'string' ? value : value(dice, names);
  };
}

/** Characters that a header may carry; others never come past the parser of HTTP. */
const noise: MakeValue = (dice) => dice.noise(60).replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
const long: MakeValue = (dice) => 'a'.repeat(dice.throw(6000));
const session: MakeValue = (_dice, { sessionId }) => sessionId;
const spoiltSession: MakeValue = (dice, { sessionId }) => {
  const at = dice.throw(sessionId.length);
  return `${sessionId.slice(0, at)}${dice.pick(['', 'A', '.', '%00', ' '])}${sessionId.slice(at + 1)}`;
};
const eventId: MakeValue = (dice) => `${dice.throw(4)}:${dice.throw(4)}`;

const HEADERS: readonly (readonly [string, MakeValue])[] = [
  ['Mcp-Session-Id', oneOf(session, session, spoiltSession, noise, long, '')],
  ['MCP-Protocol-Version', oneOf('2026-07-28', '2025-11-25', '2025-03-26', '2099-01-01', '1', noise)],
  ['Accept', oneOf('*/*', 'application/json', 'text/event-stream', 'text/html', '"', ';q=0', noise, long)],
  ['Last-Event-ID', oneOf(eventId, '0:0', '-1:1', '1:99999999999999999999', '0:0:0', '', noise, long)],
  ['Mcp-Method', oneOf('ping', 'tools/call', 'tools/list', '=?base64?', noise)],
  ['Mcp-Name', oneOf('greet', '=?base64?Z3JlZXQ=?=', '=?base64?/w==?=', '=?base64?', noise)],
  ['Mcp-Param-Text', oneOf('b', '=?base64?!?=', noise)],
  [
    'Content-Type',
    oneOf('application/json', 'text/plain', 'application/json; charset=utf-16', 'a', '', noise),
  ],
  ['Content-Encoding', oneOf('gzip', 'identity', noise)],
  ['Origin', oneOf('http://localhost', 'null', 'https://\xca\xaf', 'https://evil.example.com', noise)],
  ['Host', oneOf('localhost', '127.0.0.1:80', 'evil.example.com', '[', '[::1', '\xff', noise)],
  ['Authorization', oneOf('Bearer a', 'Bearer', 'Basic YTpi', noise, long)],
  ['traceparent', oneOf('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-0-0-0', noise)],
  ['X-Forwarded-Host', oneOf('a', '[', noise)],
  ['Forwarded', oneOf('host="', 'host=a;for=b', noise)],
  ['Cookie', oneOf(noise, long)],
  ['Expect', oneOf('100-continue', '200-ok', noise)],
];

const MCP_TARGETS: readonly MakeValue[] = [
  oneOf('/mcp'),
  oneOf('/mcp'),
  oneOf('/mcp'),
  oneOf('/mcp/', '/MCP?a=1', '/mcp?sessionId=%', '/mcp?__proto__[a]=1'),
  oneOf('/%6dcp', '/mcp%', '//mcp', 'http://a/mcp', '/mcp/../mcp', '/mcp;a', '/mcp\xff'),
];

const SSE_TARGETS: readonly MakeValue[] = [
  (_dice, { streamId }) => `/sse?sessionId=${streamId}`,
  (dice) => `/sse?sessionId=${encodeURIComponent(dice.noise(40))}`,
  oneOf('/sse?sessionId=', '/sse?sessionId=a&sessionId=b', '/sse?sessionId=%', '/sse?', '/sse/'),
];

/** Targets that are a server's own, whichever router it has. */
const OWN_TARGET = /^\/(?:mcp|sse)(?:\?.*)?$/;

/** A request as bytes. */
export interface MalformedRequest {
  readonly bytes: Buffer;
  /** Whether it is one of HTTP; the parser of that refuses others itself. */
  readonly isHttp: boolean;
  /** Whether it is the server's to answer, and not the application's. */
  readonly isOwn: boolean;
  /** Whether answers have a body. */
  readonly isHead: boolean;
}

/** Gives a request that may be malformed in whatever way. */
export function makeRequest(dice: Dice, names: RealNames): MalformedRequest {
  const method = dice.pick([
    'POST',
    'POST',
    'POST',
    'POST',
    'POST',
    'GET',
    'DELETE',
    'PUT',
    'OPTIONS',
    'HEAD',
  ]);
  // A session that is ended would be missed by all that follow.
  const spared = method === 'DELETE' ? { ...names, sessionId: names.sessionId.slice(1) } : names;
  const body = method === 'POST' || dice.throw(4) === 0 ? makeBody(dice) : Buffer.alloc(0);
  const head = formatHead({ method, body }, dice, spared);
  const whole = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  const [, target = ''] = head[0]?.split(' ') ?? [];
  const facts = { isOwn: OWN_TARGET.test(target), isHead: method === 'HEAD' };
  return dice.throw(8) === 0
    ? { ...facts, bytes: breakHttp(whole, head, dice), isHttp: false }
    : { ...facts, bytes: whole, isHttp: true };
}

function formatHead(
  { method, body }: { readonly method: string; readonly body: Buffer },
  dice: Dice,
  names: RealNames,
): readonly string[] {
  const targets = names.streamId === undefined ? MCP_TARGETS : [...MCP_TARGETS, ...SSE_TARGETS];
  const headers = new Map<string, string>([
    ['Host', 'localhost'],
    ['Accept', 'application/json, text/event-stream'],
    ['Content-Type', 'application/json'],
    ...(dice.throw(2) === 0 ? [['Mcp-Session-Id', names.sessionId] as const] : []),
  ]);
  for (let count = dice.throw(4); count > 0; count -= 1) {
    const [name, make] = dice.pick(HEADERS);
    headers.set(name, make(dice, names));
  }
  return [
    `${method} ${dice.pick(targets)(dice, names)} HTTP/1.1`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
}

/** Spoils what HTTP itself is made of. */
function breakHttp(whole: Buffer, head: readonly string[], dice: Dice): Buffer {
  const [line = '', ...fields] = head;
  const rest = whole.subarray(whole.indexOf('\r\n\r\n') + 4);
  const join = (...lines: readonly string[]) =>
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]);
  const unframed = fields.filter((field) => !field.startsWith('Content-Length'));
  return dice.pick([
    () => whole.subarray(0, dice.throw(whole.length)),
    () => join(line, ...fields, 'Content-Length: 1'),
    () => join(line, ...unframed, 'Content-Length: -1'),
    () => join(line, ...unframed, 'Content-Length: 99999'),
    () => join(line, ...unframed, 'Transfer-Encoding: chunked'),
    () => join(line, ...fields, 'Transfer-Encoding: chunked'),
    () => join(line, ...fields, `X: ${'a'.repeat(20_000)}`),
    () => join(line, ...fields, `X: a\0b`),
    () => join(line, ...fields, ` folded: ${dice.noise(10)}`),
    () =>
      join(
        dice.pick([
          'POST /mcp',
          'BREW /mcp HTTP/1.1',
          'GET  /mcp HTTP/9.9',
          '\x16\x03\x01',
          'POST mcp HTTP/1.1',
        ]),
        ...fields,
      ),
    () =>
      Buffer.concat([
        Buffer.from(whole.toString('latin1').replace('Connection: close', 'X: y'), 'latin1'),
        whole,
      ]),
    () => Buffer.from(dice.noise(300), 'latin1'),
  ])();
}
