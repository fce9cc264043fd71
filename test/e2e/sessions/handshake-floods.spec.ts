import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Public, Tool, type McpOptions } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { buildInitialize, initialize, post, type SessionClient } from '../../support/clients/json-rpc.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { until } from '../../support/until.js';

const SECRET = 'a secret of thirty-two characters';
const PLACES = 12;
const HANDSHAKES = 10 * PLACES;
/** As long as this a session is used before it counts as in use. */
const IN_USE_MS = 300;

@Injectable()
class OpenTool {
  @Tool()
  @Public()
  greet(): string {
    return 'hello';
  }
}

const SERVERS: readonly [string, Partial<McpOptions>][] = [
  ['an open server', {}],
  ['a server with public handlers', { auth: { bearer: Object.values(CALLERS) } }],
  ['a server whose sessions may be adopted', { sessions: { recover: true }, secret: SECRET }],
  ['a server of several processes', { cluster: memoryCluster(), secret: SECRET }],
];

const greet = (session: SessionClient) => session.request('tools/call', { name: 'greet' });

/** Uses something until the server has seen a use that is so much later than the first. */
async function useForLong(use: () => Promise<void>): Promise<void> {
  await use();
  const usedAt = performance.now();
  await until(async () => {
    const isLate = performance.now() - usedAt > IN_USE_MS;
    await use();
    return isLate;
  }, 'a use that is late enough');
}

describe.each(ADAPTERS)('A flood of handshakes, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async ({ sessions, ...options }: Partial<McpOptions>): Promise<void> => {
    const places = { maxSessions: PLACES, maxAnonymousSessions: PLACES, ...sessions };
    desk = await bootServer({ adapter, options: { sessions: places, ...options }, providers: [OpenTool] });
  };

  /** Opens a session and uses it for long enough. */
  async function openInUse(): Promise<SessionClient> {
    const session = await initialize(desk.url);
    await useForLong(async () => expect((await greet(session)).status).toBe(200));
    return session;
  }

  /** Shakes hands over and over, and uses a session in between. Gives the statuses of the handshakes. */
  async function flood(session: SessionClient, shake: () => Promise<number>): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let count = 0; count < HANDSHAKES; count += PLACES) {
      const shaken = await Promise.all(Array.from({ length: PLACES }, shake));
      for (const status of shaken) statuses.add(status);
      expect((await greet(session)).status).toBe(200);
    }
    return statuses;
  }

  const shakeOnly = async () => (await post(desk.url, buildInitialize())).status;

  const shakeAndCall = async () => {
    const other = await initialize(desk.url);
    return (await greet(other)).status;
  };

  describe.each(SERVERS)('at %s', (_what, options) => {
    it('ends no session in use, and each handshake succeeds (FAIR-10)', async () => {
      await boot(options);
      expect(await flood(await openInUse(), shakeOnly)).toEqual(new Set([200]));
    });

    it('whose sessions are confirmed and used once ends none either (FAIR-10)', async () => {
      await boot(options);
      // A session of the flood may have made room for the next before its call.
      expect([200, 404]).toEqual(expect.arrayContaining([...(await flood(await openInUse(), shakeAndCall))]));
    });

    it('is refused with 429 while all sessions are in use, and not with 5xx (FAIR-09) (FAIR-10)', async () => {
      await boot(options);
      const all = await Promise.all(Array.from({ length: PLACES }, openInUse));
      const answers = await Promise.all(all.map(() => post(desk.url, buildInitialize())));
      for (const { status, headers, json } of answers) {
        expect([status, headers['retry-after']]).toEqual([429, '5']);
        expect(json).toMatchObject({ id: 1, error: { code: -32023, data: { retryAfterMs: 5000 } } });
      }
      const used = await Promise.all(all.map(async (session) => (await greet(session)).status));
      expect(new Set(used)).toEqual(new Set([200]));
    });
  });

  it('over HTTP+SSE ends neither a stream in use nor a session (FAIR-10)', async () => {
    await boot({ sse: true });
    const sse = desk.url.replace(/mcp$/, 'sse');
    const [session, client] = [await openInUse(), await SseClient.connect(sse)];
    await useForLong(async () => expect(await client.callTool('greet')).toBe('hello'));
    const crowd: SseClient[] = [];
    for (let count = 0; count < 3 * PLACES; count += 1) {
      crowd.push(await SseClient.open(sse));
      expect([(await greet(session)).status, await client.callTool('greet')]).toEqual([200, 'hello']);
    }
    await flood(session, shakeOnly);
    expect(await client.callTool('greet')).toBe('hello');
    await Promise.all([client, ...crowd].map((one) => one.close()));
  });

  it('ends no session of strangers in use either where a caller with a token comes in (FAIR-03) (FAIR-10)', async () => {
    await boot({ auth: { bearer: Object.values(CALLERS) } });
    const session = await openInUse();
    await flood(session, shakeOnly);
    expect((await initialize(desk.url, { headers: authorize(CALLERS.ada.token) })).id).toBeDefined();
    expect((await greet(session)).status).toBe(200);
  });
});
