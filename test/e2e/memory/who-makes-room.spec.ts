import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier, type McpOptions } from 'nestjs-mcp';
import type { MemoryBudget, MemoryReservation } from '../../../lib/server/memory/memory-budget.js';
import type { MemoryCaller } from '../../../lib/server/memory/memory-account.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { PublicGreetingTool } from '../../support/applications/greeting-tool.js';
import { authorize, CALLERS } from '../../support/applications/protected-desk.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, post, type SessionClient } from '../../support/clients/json-rpc.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { until, within } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const MOST = 10_000_000;
const ACCEPT = { accept: 'application/json, text/event-stream' };
const ADA = { ...authorize(CALLERS.ada.token) };
const BOB = { ...authorize(CALLERS.bob.token) };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
/** A few of these are as much as a request takes. */
const PADDED = { capabilities: { experimental: { x: { pad: 'x'.repeat(6000) } } } };

describe.each(ADAPTERS)('A server whose memory is full, on %s', (adapter) => {
  let desk: RunningApp;
  let budget: MemoryBudget;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions> = {}): Promise<void> {
    const memory = { maxBytes: MOST, maxBytesPerCaller: MOST, ...options.memory };
    desk = await bootServer({ adapter, options: { ...options, memory }, providers: [PublicGreetingTool] });
    budget = getParts(desk.app).foundation.memory;
  }

  /** Opens so many sessions, and uses each. */
  async function open(count: number, headers = {}): Promise<[SessionClient, ...SessionClient[]]> {
    const sessions: SessionClient[] = [];
    for (let index = 0; index < count; index += 1) {
      const session = await initialize(desk.url, { ...PADDED, headers });
      await session.request('tools/list');
      sessions.push(session);
    }
    return sessions as [SessionClient, ...SessionClient[]];
  }

  /** Takes all that is left except for a little; nothing that runs may be taking any. */
  async function fill(owner: MemoryCaller = {}, most = MOST): Promise<MemoryReservation> {
    const account = budget.findAccount(owner);
    await until(() => account.passing === 0, 'nothing to run');
    const used = most === MOST ? budget.used : account.used;
    return budget.hold(owner, most - used - 1000);
  }

  /** Gives how a session of a caller is counted. */
  function findOwner(session: SessionClient): MemoryCaller {
    return getParts(desk.app).sessions.registry.find(session.id)?.memory.account.owner ?? {};
  }

  const ping = async (session: SessionClient) => (await session.post(PING)).status;

  it('ends no session for a request of its own (FAIR-02)', async () => {
    await boot();
    const [first, second, ...others] = await open(10);
    await fill();
    expect((await first.request('tools/list')).status).toBe(200);
    const statuses = await Promise.all([first, second!, others.at(-1)!].map(ping));
    expect(statuses).toEqual([200, 404, 200]);
  });

  it('refuses a request rather than end the one session that there is, which it is for (FAIR-02)', async () => {
    await boot();
    const [only] = await open(1);
    const hold = await fill();
    const refused = await only.post(PING);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
    hold.release();
    expect(await ping(only)).toBe(200);
  });

  it('ends no session for a body of its own that is on its way (FAIR-02)', async () => {
    await boot();
    const [first, second] = await open(10);
    await fill();
    const body = JSON.stringify(PING);
    const headers = { ...first.headers, 'content-type': 'application/json', 'content-length': body.length };
    const slow = request(desk.url, { method: 'POST', agent: false, headers: { ...ACCEPT, ...headers } });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      slow.once('response', (response) => resolve(response.resume().statusCode));
      slow.once('error', reject);
    });
    slow.flushHeaders();
    await until(() => desk.app.get(McpNotifier).sessions.length < 10, 'others to make room');
    slow.end(body);
    expect(await within(answered, 'an answer')).toBe(200);
    expect(await ping(second!)).toBe(404);
  });

  it('keeps no session for a client that only pings (FAIR-04)', async () => {
    await boot();
    const [pinging, ...others] = await open(10);
    await ping(pinging);
    await fill();
    await initialize(desk.url);
    expect([await ping(pinging), await ping(others.at(-1)!)]).toEqual([404, 200]);
  });

  it('has streams of HTTP+SSE make room as sessions do (FAIR-02) (SSE-01)', async () => {
    await boot({ sse: true });
    const clients = [];
    for (let count = 0; count < 10; count += 1)
      clients.push(await SseClient.connect(`${desk.origin}/sse`, PADDED));
    for (const client of clients) await client.request('tools/list');
    await fill();
    expect((await clients[0]!.request('tools/list')).result).toBeDefined();
    await within(clients[1]!.stream.ended, 'the end of the stream that made room');
    expect((await clients[0]!.request('ping')).result).toEqual({});
  });

  describe('with tokens', () => {
    const auth = { bearer: Object.values(CALLERS) };

    it('has the longest idle session of a caller make room for the same caller (FAIR-03)', async () => {
      await boot({ auth, memory: { maxBytesPerCaller: MOST / 2 } });
      const [reading, idle] = await open(10, ADA);
      const stream = await reading.openStream();
      const [other] = await open(1, BOB);
      await fill(findOwner(reading), MOST / 2);
      expect((await initialize(desk.url, { headers: ADA })).id).not.toBe('');
      expect(await Promise.all([reading, idle!, other].map(ping))).toEqual([200, 404, 200]);
      await stream.close();
    });

    it('ends none of a caller for what is free as soon as requests are answered (FAIR-03)', async () => {
      await boot({ auth, memory: { maxBytesPerCaller: MOST / 2 } });
      const sessions = await open(10, ADA);
      const owner = findOwner(sessions[0]);
      budget.hold(owner, MOST / 2 - budget.findAccount(owner).used - 1000, true);
      const refused = await post(desk.url, PING, { ...sessions[0].headers });
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
      expect(desk.app.get(McpNotifier).sessions).toHaveLength(10);
    });

    it('has whoever has most make room for another caller, and for no stranger (FAIR-03)', async () => {
      await boot({ auth });
      const [oldest, ...others] = await open(10, BOB);
      const [few] = await open(1, ADA);
      await fill({ identity: 'somebody who has no sessions' });
      await expect(initialize(desk.url)).rejects.toThrow('503');
      expect(desk.app.get(McpNotifier).sessions).toHaveLength(11);
      expect(await ping(few)).toBe(200);
      expect(await Promise.all([oldest, others.at(-1)!, few].map(ping))).toEqual([404, 200, 200]);
    });
  });
});
