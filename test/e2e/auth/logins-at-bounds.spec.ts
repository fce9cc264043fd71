import { afterEach, describe, expect, it } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import type { McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { PublicGreetingTool } from '../../support/applications/greeting-tool.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';

const ADA: OutgoingHttpHeaders = { ...authorize(CALLERS.ada.token) };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const declare = (characters: number) => ({
  capabilities: { experimental: { x: { pad: 'x'.repeat(characters) } } },
});
/** Less than a caller may have, and more than is left beside one of two that are {@link SMALL}. */
const LARGE = declare(60_000);
const SMALL = declare(11_000);
const NARROW = { maxBytesPerCaller: 70_000 };

/** Whatever names a session. */
const WAYS: Readonly<Record<string, (session: SessionClient) => Promise<RawResponse>>> = {
  'a request': (session) => session.post(PING, ADA),
  'a notification': (session) => session.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, ADA),
  'a stream': ({ url, headers }) =>
    sendHttp(url, { headers: { ...headers, ...ADA, accept: 'text/event-stream' } }),
  'its end': (session) => session.delete(ADA),
};

describe.each(ADAPTERS)('A login inside a session that has no room, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions>): Promise<void> {
    desk = await bootDesk(adapter, { options, providers: [PublicGreetingTool] });
  }

  const ping = async (session: SessionClient) => (await session.post(PING)).status;

  async function openOwn(count: number): Promise<SessionClient[]> {
    const own = [];
    for (let index = 0; index < count; index += 1)
      own.push(await initialize(desk.url, { ...SMALL, headers: ADA }));
    return own;
  }

  it.each(Object.entries(WAYS))(
    'is told when to come back, and ends no session of its caller: %s (HTTP-03) (FAIR-03)',
    async (_what, login) => {
      await boot({ sessions: { maxSessionsPerCaller: 2 }, memory: NARROW });
      const own = await openOwn(2);
      const session = await initialize(desk.url, LARGE);
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const { status, headers } = await login(session);
        expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]/)]);
      }
      expect(await Promise.all([...own, session].map(ping))).toEqual([200, 200, 200]);
    },
  );

  it('finds room for what one idle session less of its caller leaves (HTTP-03) (FAIR-03)', async () => {
    await boot({ sessions: { maxSessionsPerCaller: 1 }, memory: { maxBytesPerCaller: 80_000 } });
    const [own] = await openOwn(1);
    const session = await initialize(desk.url, declare(30_000));
    expect((await session.post(PING, ADA)).status).toBe(200);
    expect((await own!.post(PING)).status).toBe(404);
    expect((await session.post(PING)).status).toBe(404);
  });

  it('makes nobody outlast those who were used later (FAIR-04)', async () => {
    await boot({ sessions: { maxAnonymousSessions: 2 }, memory: NARROW });
    const first = await initialize(desk.url, LARGE);
    const second = await initialize(desk.url, LARGE);
    for (const session of [first, second]) await session.request('tools/list');
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await first.post(PING, ADA)).status).toBe(429);
    await initialize(desk.url);
    expect([await ping(first), await ping(second)]).toEqual([404, 200]);
  });

  it('is told so by HTTP+SSE too, and leaves the stream open (HTTP-03) (SSE-01)', async () => {
    await boot({ sse: true, sessions: { maxSessionsPerCaller: 2 }, memory: NARROW });
    const own = await openOwn(2);
    const client = await SseClient.connect(`${desk.origin}/sse`, LARGE);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const { status, headers } = await client.post(PING, ADA);
      expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]/)]);
    }
    expect(await Promise.all(own.map(ping))).toEqual([200, 200]);
    expect((await client.request('ping')).result).toEqual({});
  });
});
