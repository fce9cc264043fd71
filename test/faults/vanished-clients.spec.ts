import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../support/applications/boot.js';
import { initialize, type SessionClient } from '../support/clients/json-rpc.js';
import { formatCall, formatHead, formatPost } from '../support/clients/request-text.js';
import { until } from '../support/until.js';
import { callMeanwhile } from './callers.js';
import { EdgeProgram, type EdgeFigures } from './edge-program.js';
import { expectNothingLeft, expectServed } from './expectations.js';
import { inTurns } from './in-turns.js';
import { openMany, type RawClient } from './raw-client.js';
import { SilentProxy } from './silent-proxy.js';

const CLIENTS = 60;
/** Sessions cost time to open, and who keeps them is the same on both. */
const SESSIONS = { express: 1000, fastify: 250 };

describe.each(ADAPTERS)('Clients that vanish, on %s', (adapter) => {
  let program: EdgeProgram;

  afterEach(() => program.stop());

  async function start(options: object): Promise<void> {
    program = await EdgeProgram.start({ adapter, options });
  }

  describe('by cutting their connection', () => {
    beforeEach(() => start({ limits: { transferTimeoutMs: 60_000 } }));

    /** Cuts so many connections where the clients have written and got what they should. */
    async function cut(count: number, text: string, sign: string): Promise<readonly RawClient[]> {
      const clients = await openMany(program.port, count);
      for (const client of clients) client.write(text);
      await until(() => clients.every(({ received }) => received.includes(sign)), 'a sign');
      clients.forEach((client, index) => (index % 2 === 0 ? client.reset() : client.socket.destroy()));
      return clients;
    }

    it('in a body, in an answer, in a stream and behind another request, leave nothing behind (SAFE-03) (HTTP-09)', async () => {
      const call = formatCall('wait');
      const cuts = [
        ['in the middle of a head', call.slice(0, 30), ''],
        ['in the middle of a body', call.slice(0, -30), ''],
        ['in the middle of a chunk', `${CHUNKED}ff\r\n{"json`, ''],
        ['in the middle of a stream', call, 'notifications/progress'],
        [
          'in the middle of a long stream',
          formatCall('report', { count: 20, size: 100_000 }),
          'x'.repeat(1000),
        ],
        ['behind another request', call + call + formatCall('greet'), 'notifications/progress'],
      ] as const;
      for (const [, text, sign] of cuts) await cut(4, text, sign);
      const before = await program.settle({ sessions: 0 });
      const answers = await callMeanwhile(program, async () => {
        for (const [, text, sign] of cuts) await cut(CLIENTS, text, sign);
      });
      expectServed(answers);
      await program.holds(({ running }) => running === 0, 'the end of all handlers');
      const { aborted } = await expectNothingLeft(program, before, { timeoutMs: 25_000 });
      expect(aborted - before.aborted).toBe(3 * CLIENTS);
    });
  });

  describe('and leave their sessions to the server', () => {
    beforeEach(() => start({ sessions: { idleTimeoutMs: 1000 }, callTimeoutMs: 2500 }));

    /** Opens sessions that read their stream, call, ping or do nothing, and lets all clients vanish. */
    async function abandon(count: number): Promise<EdgeFigures> {
      const abandoned = await inTurns(count, 25, async (index) => {
        const session = await initialize(program.url);
        if (index % 4 === 3) return undefined;
        const [client] = await openMany(program.port, 1);
        return client?.write(WAYS[index % 4]!(session.headers));
      });
      const clients = abandoned.filter((client) => client !== undefined);
      await until(() => clients.every(({ statuses }) => statuses.length > 0), 'all answers', 20_000);
      const figures = await program.figures();
      clients.forEach((client, index) => (index % 2 === 0 ? client.reset() : client.socket.destroy()));
      return figures;
    }

    it(`${SESSIONS[adapter]}, with open streams and running calls, and all memory comes back (SAFE-03) (HTTP-10)`, async () => {
      await abandon(50);
      const before = await program.settle({ sessions: 0 }, 15_000);
      const amid = await abandon(SESSIONS[adapter]);
      expect(amid.sessions).toBeGreaterThan(SESSIONS[adapter] / 5);
      expect(amid.heapBytes).toBeGreaterThan(before.heapBytes);
      await expectNothingLeft(program, before, { timeoutMs: 25_000 });
    });
  });
});

describe('Clients whose connection falls silent, with neither end told', () => {
  let program: EdgeProgram;
  let proxy: SilentProxy;

  beforeEach(async () => {
    program = await EdgeProgram.start({
      options: {
        // All are open at once for a while, on a machine that does much else too.
        streams: { maxAgeMs: 8000, keepAliveMs: 200, maxQueuedBytes: 65_536 },
        sessions: { idleTimeoutMs: 3000 },
        limits: { transferTimeoutMs: 1000 },
      },
      // Of what is written as the link falls silent, some never arrives.
      headersTimeoutMs: 1000,
    });
    proxy = await SilentProxy.start(program.port);
  });

  afterEach(async () => {
    proxy.stop();
    await program.stop();
  });

  it('lose their streams, their sessions and what they began to send, within the bounds that are set (SAFE-03) (HTTP-10)', async () => {
    const before = await program.settle({ sessions: 0 });
    const url = `http://127.0.0.1:${proxy.port}/mcp`;
    const sessions = await Promise.all(Array.from({ length: 20 }, () => initialize(url)));
    const streams = await Promise.all(sessions.map((session) => session.openStream()));
    const writers = await openMany(proxy.port, 20);
    for (const client of writers) client.write(formatCall('greet').slice(0, -30));
    await program.holds(({ sockets }) => sockets > 20, 'half-sent requests');
    proxy.silence();
    const open = streams.filter(({ isEnded }) => !isEnded);
    expect(open.length).toBeGreaterThan(0);
    expect((await program.settle(before, 25_000)).resources).toEqual(before.resources);
    expect(open.every(({ isEnded }) => !isEnded)).toBe(true);
    for (const { response } of streams) response.destroy();
    for (const client of writers) client.reset();
  });

  it('take their stream up again where they come back before that, by its last event (HTTP-04) (SESS-04)', async () => {
    const url = `http://127.0.0.1:${proxy.port}/mcp`;
    const through = await initialize(url);
    const lost = await through.openStream();
    await lost.next(({ id }) => id !== undefined);
    proxy.silence();
    const session = Object.assign(Object.create(through) as SessionClient, { url: program.url });
    const greeting = { name: 'announce', arguments: { count: 3, size: 1, mark: 'missed ' } };
    await session.request('tools/call', greeting);
    const resumed = await session.openStream({ lastEventId: lost.lastEventId });
    await resumed.nextMessage(({ params }) => String(params?.['data']).startsWith('missed 3'));
    expect(resumed.messages).toHaveLength(3);
    await resumed.close();
    lost.response.destroy();
  });
});

const CHUNKED = formatHead('POST', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });

type Headers = SessionClient['headers'];

/** What a session does when its client vanishes. */
const WAYS: readonly ((headers: Headers) => string)[] = [
  (headers) => formatHead('GET', { accept: 'text/event-stream', ...headers }),
  (headers) =>
    formatPost(formatRequest('tools/call', { name: 'wait', _meta: { progressToken: 1 } }), headers),
  (headers) => formatPost(formatRequest('ping'), headers),
];

function formatRequest(method: string, params: object = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
