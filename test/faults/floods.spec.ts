import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { ADAPTERS } from '../support/applications/boot.js';
import { initialize } from '../support/clients/json-rpc.js';
import { formatCall, formatHead, formatPost } from '../support/clients/request-text.js';
import { until } from '../support/until.js';
import { callMeanwhile } from './callers.js';
import { EdgeProgram } from './edge-program.js';
import { expectNothingLeft, expectServed } from './expectations.js';
import { openMany, type RawClient } from './raw-client.js';

const MEGABYTE = 1_048_576;
const MOST_SESSIONS = 200;
const TURNS_MS = 15_000;

describe.each(ADAPTERS)('A server that is flooded, on %s', (adapter) => {
  let program: EdgeProgram;

  beforeAll(async () => {
    program = await EdgeProgram.start({
      adapter,
      options: {
        sessions: { maxSessions: MOST_SESSIONS, unusedTimeoutMs: 600_000 },
        limits: { bodyBytes: MEGABYTE },
      },
    });
  });

  afterAll(() => program.stop());

  /** Sends texts over some connections, each as soon as what was sent before is answered, and gives the answers. */
  async function flood(texts: readonly string[], connections = 20): Promise<string[]> {
    const answers: string[] = [];
    const clients = await openMany(program.port, connections);
    let next = 0;
    const work = async (client: RawClient): Promise<void> => {
      while (next < texts.length) {
        client.received = '';
        client.write(texts[next++] ?? '');
        await until(() => client.statuses.length > 0, 'an answer');
        answers.push(client.received);
      }
      client.socket.destroy();
    };
    await Promise.all(clients.map(work));
    return answers;
  }

  /** Does something once to warm the server up, and again while a good client calls and a session with a stream is used. */
  async function survive(act: () => Promise<unknown>): Promise<void> {
    await act();
    const before = await program.settle({ sessions: 0 }, TURNS_MS);
    const session = await initialize(program.url);
    const stream = await session.openStream();
    // What runs keeps its session, whoever wants its place.
    session.start('tools/call', { name: 'wait', arguments: {} });
    await program.holds(({ running }) => running > before.running, 'a running call');
    try {
      expectServed(await callMeanwhile(program, act));
      expect((await session.request('ping')).result).toEqual({});
      const announcement = { name: 'announce', arguments: { count: 1, size: 1, mark: 'still here ' } };
      await session.request('tools/call', announcement);
      await stream.nextNotification('notifications/message');
    } finally {
      await stream.close();
      await session.delete();
    }

    await expectNothingLeft(program, before, { timeoutMs: TURNS_MS });
  }

  it('with handshakes, has the longest idle make room, and keeps what is in use (HTTP-10) (FAIR-04) (SAFE-03)', async () => {
    await survive(async () => {
      const { sessions } = await program.figures();
      const answers = await flood(Array.from({ length: 1000 }, () => INITIALIZE));
      expect(countStatuses(answers)).toEqual({ 200: 1000 });
      expect((await program.figures()).sessions).toBe(MOST_SESSIONS);
      const ids = answers.flatMap((text) => /mcp-session-id: (\S+)/i.exec(text)?.[1] ?? []);
      const ends = ids.map((id) => formatHead('DELETE', { 'mcp-session-id': id }));
      const open = MOST_SESSIONS - sessions;
      expect(countStatuses(await flood(ends))).toEqual({ 204: open, 404: 1000 - open });
    });
  });

  it('with ids that it does not know, in every method, answers 404 (HTTP-03) (SESS-05)', async () => {
    await survive(async () => {
      const answers = await flood(
        UNKNOWN_IDS.flatMap((id) => {
          const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' };
          return [
            formatHead('DELETE', headers),
            formatHead('GET', { accept: 'text/event-stream', 'last-event-id': '0:1', ...headers }),
            formatPost(PING, headers),
          ];
        }),
      );
      expect(countStatuses(answers)).toEqual({ 404: 3 * UNKNOWN_IDS.length });
    });
  });

  it('with DELETE, ends each session once (HTTP-05) (SAFE-03)', async () => {
    await survive(async () => {
      const sessions = await Promise.all(Array.from({ length: 50 }, () => initialize(program.url)));
      const texts = sessions.flatMap(({ headers }) =>
        Array.from({ length: 10 }, () => formatHead('DELETE', headers)),
      );
      expect(countStatuses(await flood(texts))).toEqual({ 204: 50, 404: 450 });
    });
  });

  it('with standing streams, gives each session one, and answers 409 to the rest (HTTP-04) (HTTP-08)', async () => {
    await survive(async () => {
      const sessions = await Promise.all(Array.from({ length: 50 }, () => initialize(program.url)));
      const clients = await openMany(program.port, 300);
      clients.forEach((client, index) => {
        const { headers } = sessions[index % sessions.length]!;
        client.write(formatHead('GET', { accept: 'text/event-stream', ...headers }));
      });
      await until(() => clients.every(({ statuses }) => statuses.length > 0), 'all answers');
      expect(countStatuses(clients.map(({ received }) => received))).toEqual({ 200: 50, 409: 250 });
      for (const client of clients) client.reset();
      await Promise.all(sessions.map((each) => each.delete()));
    });
  });

  it('with resumptions of one stream, leaves it to the last (HTTP-04) (SESS-04)', async () => {
    await survive(async () => {
      const own = await initialize(program.url);
      const lost = await own.openStream();
      await lost.next(({ id }) => id !== undefined);
      const clients = await openMany(program.port, 100);
      const headers = { accept: 'text/event-stream', 'last-event-id': lost.lastEventId, ...own.headers };
      for (const client of clients) client.write(formatHead('GET', headers));
      await until(() => clients.every(({ received }) => received.includes('200 OK')), 'all answers');
      // A stream that ends shows it by its last chunk.
      const isOver = ({ received }: RawClient) => received.endsWith('0\r\n\r\n');
      await until(() => clients.filter(isOver).length === 99, 'one that is left');
      expect(lost.isEnded).toBe(true);
      for (const client of clients) client.reset();
      await lost.close();
      await own.delete();
    });
  });

  it('with requests that do not wait for each other, answers all in order (SAFE-01) (HTTP-02)', async () => {
    await survive(async () => {
      const clients = await openMany(program.port, 10);
      for (const client of clients) client.write(formatCall('greet').repeat(200));
      const isAnswered = ({ statuses }: RawClient) => statuses.length === 200;
      await until(() => clients.every(isAnswered), 'all answers');
      expect(new Set(clients.flatMap(({ statuses }) => statuses))).toEqual(new Set([200]));
      for (const client of clients) client.socket.destroy();
    });
  });

  it('with connections that say nothing, and heads that are too long, serves others (SAFE-01)', async () => {
    await survive(async () => {
      const silent = await openMany(program.port, 1000);
      const heads = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? LONG_HEAD : MANY_HEADERS));
      expect(countStatuses(await flood(heads, 100))).toEqual({ 431: 100 });
      for (const client of silent) client.reset();
    });
  });

  it('with bodies that are made to hurt, gives each its status (SAFE-01) (HTTP-07)', async () => {
    await survive(async () => {
      const session = await initialize(program.url);
      const cases = Object.entries(BODIES).flatMap(([what, [status, body, headers]]) => {
        const text = formatPost(body, { ...session.headers, ...headers });
        return Array.from({ length: 8 }, () => ({ what, status, text }));
      });
      const statuses = await inOrder(cases, async ({ text }) => countStatuses(await flood([text], 1)));
      expect(cases.map(({ what }, index) => [what, statuses[index]])).toEqual(
        cases.map(({ what, status }) => [what, { [status]: 1 }]),
      );
      await session.delete();
    });
  });
});

function countStatuses(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const status = answer.slice(9, 12);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

async function inOrder<Value, Result>(
  values: readonly Value[],
  act: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const value of values) results.push(await act(value));
  return results;
}

function formatRequest(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

const PING = formatRequest('ping');
const INITIALIZE = formatPost(
  formatRequest('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'flood', version: '1' },
  }),
);
const UNKNOWN_IDS = Array.from({ length: 150 }, (_, index) =>
  index % 2 === 0 ? randomUUID() : randomBytes(3000).toString('base64url'),
);
const LONG_HEAD = formatHead('POST', { 'x-long': 'x'.repeat(20_000) });
const MANY_HEADERS = formatHead(
  'POST',
  Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`x-${index}`, '1'])),
);

/** Gives a call whose arguments are some JSON. */
const callWith = (json: string): string =>
  formatRequest('tools/call', { name: 'greet', arguments: { hole: 0 } }).replace(
    '"hole":0',
    `"hole":${json}`,
  );
const DEPTH = 100_000;
const NESTED = '['.repeat(DEPTH) + ']'.repeat(DEPTH);
const padTo = (bytes: number): string =>
  PING.replace('{}', `{"pad":"${'x'.repeat(bytes - PING.length - 8)}"}`);

/** Bodies with the status that each is answered with. */
const BODIES: Record<string, readonly [status: number, body: string, headers?: object]> = {
  'the limit': [200, padTo(MEGABYTE)],
  'a byte more than the limit': [413, padTo(MEGABYTE + 1)],
  'a bomb in gzip': [
    415,
    gzipSync(Buffer.alloc(10 * MEGABYTE)).toString('latin1'),
    { 'content-encoding': 'gzip' },
  ],
  'arguments that are nested deeply': [400, callWith(NESTED)],
  'a body that is nested deeply': [400, NESTED],
  'objects that are nested deeply': [400, callWith('{"a":'.repeat(DEPTH) + '1' + '}'.repeat(DEPTH))],
  'nesting without an end': [400, '['.repeat(MEGABYTE / 2)],
  'a number of half a megabyte': [200, callWith('9'.repeat(MEGABYTE / 2))],
  'an id beyond all numbers': [400, PING.replace('"id":1', '"id":1e999')],
  'a batch of a hundred thousand': [413, `[${Array.from({ length: DEPTH }, () => '{}').join()}]`],
  'sixty thousand members': [
    413,
    callWith(`{${Array.from({ length: 60_000 }, (_, index) => `"${index}k":1`).join()}}`),
  ],
  'members of every object': [200, callWith('{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}')],
  'half of a character': [200, callWith(String.raw`"\ud800"`)],
  'bytes of no character': [400, '{"\u00ff'],
};
