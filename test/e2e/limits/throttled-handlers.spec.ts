import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Throttle, ThrottlerModule } from '@nestjs/throttler';
import { McpModule, Tool } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { bootServer, type ServerParts } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../support/clients/json-rpc.js';
import { LimitedClass, LimitedHandlers, MINUTE_MS, reached, REQUESTS, retryAfterOf } from './limited-desk.js';

const throttlers = (limit = 2) => ThrottlerModule.forRoot([{ ttl: MINUTE_MS, limit }]);
/** The token of another caller with the subject of one with a fixed token. */
const NAMESAKE = 'token-of-another-eve-2f6a';
const ONCE = { name: 'once', arguments: {} };

/** A request that is refused, as SEP-3304 has it. */
const LIMITED = {
  status: 429,
  headers: {
    'retry-after': expect.stringMatching(/^[1-9]\d?$/),
    'ratelimit-limit': '1',
    'ratelimit-remaining': '0',
  },
  error: {
    code: -32023,
    message: expect.stringMatching(/^Too many requests: try again in [1-9]\d? s$/),
    data: { retryAfterMs: expect.any(Number), limit: 1, remaining: 0 },
  },
} as const;

@Injectable()
class FirstTools {
  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  once(): string {
    return 'once';
  }
}

@Injectable()
class SecondTools extends FirstTools {
  @Tool()
  @Throttle({ default: { limit: 1, ttl: MINUTE_MS } })
  override once(): string {
    return 'once';
  }
}

describe.each(ADAPTERS)('@Throttle() on handlers, on %s', (adapter) => {
  let desk: RunningApp;

  const boot = async (parts: ServerParts = {}) => {
    desk = await bootServer({ adapter, imports: [throttlers()], providers: [LimitedHandlers], ...parts });
    return desk;
  };

  afterEach(() => desk.close());

  it.each(REQUESTS)(
    'refuses a further %s %j with 429 and when to come again (OPS-04)',
    async (method, params, again = params) => {
      const client = perRequest((await boot()).url);
      expect(await client.request(method, params)).toMatchObject({ status: 200, result: {} });
      const refused = await client.request(method, again);
      expect(refused).toMatchObject(LIMITED);
      expect(retryAfterOf(refused)).toBe(Number(refused.headers['retry-after']) * 1000);
    },
  );

  it.each(HANDSHAKE_VERSIONS)('does so in sessions of %s (OPS-04)', async (version) => {
    await boot();
    const session = await initialize(desk.url, { version });
    expect(await session.request('tools/call', ONCE)).toMatchObject({ status: 200, result: {} });
    expect(await session.request('tools/call', ONCE)).toMatchObject(LIMITED);
  });

  it('does so without sessions (OPS-04)', async () => {
    await boot({ options: { stateless: true } });
    const session = await initialize(desk.url);
    expect(session.id).toBe('');
    expect(await session.request('tools/call', ONCE)).toMatchObject({ status: 200, result: {} });
    expect(await session.request('tools/call', ONCE)).toMatchObject(LIMITED);
  });

  it('reaches neither the guards nor the handler with a call that is refused (OPS-04)', async () => {
    const client = perRequest((await boot()).url);
    Object.assign(reached, { guards: 0, handlers: 0 });
    for (const _ of [1, 2, 3]) await client.request('tools/call', ONCE);
    expect(reached).toEqual({ guards: 1, handlers: 1 });
  });

  it('counts calls whose arguments are wrong (OPS-04)', async () => {
    const client = perRequest((await boot()).url);
    expect(await client.request('prompts/get', { name: 'prompt', arguments: { who: 7 } })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await client.request('prompts/get', { name: 'prompt', arguments: {} })).toMatchObject(LIMITED);
  });

  it('limits each handler by itself, and no handler without it (OPS-04)', async () => {
    const client = perRequest((await boot()).url);
    await client.request('tools/call', ONCE);
    for (const _ of [1, 2, 3, 4]) {
      expect(await client.request('tools/call', { name: 'free' })).toMatchObject({ status: 200 });
    }
    expect(await client.request('prompts/get', { name: 'prompt' })).toMatchObject({ status: 200 });
  });

  it('counts for each server of an application by itself (OPS-04, MOD-05)', async () => {
    const servers = { first: FirstTools, second: SecondTools };
    const imports = Object.entries(servers).flatMap(([server, tools]) => [
      McpModule.forRoot({ server, serverInfo: { name: server, version: '1.0.0' }, mcpPath: `/${server}` }),
      McpModule.forFeature({ server, providers: [tools] }),
    ]);
    desk = await bootApp({ adapter, imports: [throttlers(), ...imports], providers: Object.values(servers) });
    const call = async (server: string) =>
      (await perRequest(`${desk.origin}/${server}`).request('tools/call', ONCE)).status;
    expect([await call('first'), await call('first')]).toEqual([200, 429]);
    expect([await call('second'), await call('second')]).toEqual([200, 429]);
  });

  it('counts no lists and no pings (OPS-04)', async () => {
    await boot({ options: { throttle: true } });
    const session = await initialize(desk.url);
    for (const _ of [1, 2, 3, 4]) {
      expect(await session.request('tools/list')).toMatchObject({ status: 200, result: {} });
      expect(await session.request('ping')).toMatchObject({ status: 200, result: {} });
    }
  });

  it('counts the methods that are named (OPS-04)', async () => {
    await boot({ options: { throttle: { methods: ['tools/list', 'tools/call'] } } });
    const session = await initialize(desk.url);
    for (const _ of [1, 2]) expect((await session.request('tools/list')).status).toBe(200);
    expect(await session.request('tools/list')).toMatchObject({
      status: 429,
      error: { code: -32023, data: { limit: 2 } },
    });
    expect(await session.request('prompts/list')).toMatchObject({ status: 200 });
    // Calls of all tools together.
    await session.request('tools/call', ONCE);
    await session.request('tools/call', { name: 'free' });
    expect(await session.request('tools/call', { name: 'free' })).toMatchObject({ status: 429 });
  });

  it('stands for each handler of a class, except those with @SkipThrottle() (OPS-04)', async () => {
    const client = perRequest((await boot({ providers: [LimitedClass] })).url);
    const call = async (name: string) => (await client.request('tools/call', { name })).status;
    expect([await call('one'), await call('one')]).toEqual([200, 429]);
    expect([await call('other'), await call('other')]).toEqual([200, 429]);
    expect([await call('skipped'), await call('skipped')]).toEqual([200, 200]);
  });

  it('limits all handlers by what the module says, with "throttle" (OPS-04)', async () => {
    await boot({ options: { throttle: true }, providers: [LimitedHandlers, LimitedClass] });
    const client = perRequest(desk.url);
    const call = async (name: string) => (await client.request('tools/call', { name })).status;
    expect([await call('free'), await call('free'), await call('free')]).toEqual([200, 200, 429]);
    expect([await call('once'), await call('once')]).toEqual([200, 429]);
    expect([await call('skipped'), await call('skipped'), await call('skipped')]).toEqual([200, 200, 200]);
  });

  it('tells of a batch which of its requests are too many (OPS-04)', async () => {
    await boot();
    const session = await initialize(desk.url, { version: '2025-03-26' });
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: ONCE });
    const { status, text } = await session.post([call(1), call(2)]);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject([
      { id: 1, result: {} },
      { id: 2, error: LIMITED.error },
    ]);
  });
});

describe.each(ADAPTERS)('Callers of a limited handler, on %s', (adapter) => {
  let desk: RunningApp;
  let guarded: RunningApp;

  beforeAll(async () => {
    const parts: ServerParts = {
      adapter,
      trustProxy: true,
      imports: [throttlers()],
      providers: [LimitedHandlers],
    };
    const validate = (token: string) =>
      token === NAMESAKE ? { sub: CALLERS.eve.subject } : { sub: token, iss: 'https://issuer.example.com' };
    const auth = { bearer: CALLERS.eve, validator: { validate } };
    desk = await bootServer(parts);
    guarded = await bootServer({ ...parts, options: { auth } });
  });

  afterAll(async () => {
    await desk.close();
    await guarded.close();
  });

  const call = async (url: string, headers: Record<string, string>) =>
    (await perRequest(url, { headers }).request('tools/call', ONCE)).status;

  it('have a count of their own by their address (OPS-04)', async () => {
    const from = (address: string) => call(desk.url, { 'x-forwarded-for': address });
    expect([await from('203.0.113.7'), await from('203.0.113.7')]).toEqual([200, 429]);
    expect([await from('203.0.113.8'), await from('203.0.113.8')]).toEqual([200, 429]);
  });

  it('get no further count by another address of their own network (OPS-04)', async () => {
    const from = (address: string) => call(desk.url, { 'x-forwarded-for': address });
    expect([await from('2001:db8::1'), await from('2001:db8::2')]).toEqual([200, 429]);
  });

  it('have one by the subject of their token, whatever their address and session (OPS-04)', async () => {
    const by = (token: string, address: string) =>
      call(guarded.url, { authorization: `Bearer ${token}`, 'x-forwarded-for': address });
    expect([await by('ada', '203.0.113.7'), await by('ada', '203.0.113.8')]).toEqual([200, 429]);
    const headers = { authorization: 'Bearer ada' };
    const session = await initialize(guarded.url, { headers });
    expect((await session.request('tools/call', ONCE)).status).toBe(429);
    expect(await by('bob', '203.0.113.7')).toBe(200);
  });

  it('have one each if different validators know them by one subject without an issuer (OPS-04)', async () => {
    const by = (token: string) => call(guarded.url, { authorization: `Bearer ${token}` });
    expect([await by(CALLERS.eve.token), await by(CALLERS.eve.token)]).toEqual([200, 429]);
    expect([await by(NAMESAKE), await by(NAMESAKE)]).toEqual([200, 429]);
  });

  it('have one by their session where everybody may share the address (OPS-04)', async () => {
    const [one, two] = [await initialize(desk.url), await initialize(desk.url)];
    const statuses = [];
    for (const session of [one, one, two]) {
      statuses.push((await session.request('resources/read', { uri: 'desk://once' })).status);
    }
    expect(statuses).toEqual([200, 429, 200]);
  });
});
