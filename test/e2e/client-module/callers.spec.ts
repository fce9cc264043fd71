import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpClientModule, McpClients, type CallerExchange, type McpCaller } from 'nestjs-mcp/client-module';
import { until } from '../../support/until.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootShop, type RunningShop } from './shop.app.js';

const ISSUER = 'https://login.example.com';

/** Somebody who calls, whose token is exchanged for one that the shop knows. */
function createCaller(name: 'ada' | 'bob', scopes: readonly string[] = ['a'], asked: CallerExchange[] = []) {
  const caller: McpCaller = {
    auth: {
      claims: { iss: ISSUER, sub: name, clientId: 'browser', scopes },
      exchange: async (request) => {
        asked.push(request);
        return CALLERS[name].token;
      },
    },
  };
  return caller;
}

const textOf = (result: { readonly content: readonly unknown[] }) =>
  (result.content[0] as { readonly text?: string } | undefined)?.text;

describe('McpClients.forCaller', () => {
  let server: RunningShop;
  let app: INestApplicationContext;
  let clients: McpClients;
  let requests: RecordedFetch;

  const boot = async (options: object = {}) => {
    requests = new RecordedFetch();
    const shop = { name: 'shop', url: server.url, fetch: requests.fetch, ...options };
    const root = { module: class Root {}, imports: [McpClientModule.forRoot([shop])] };
    app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
    clients = app.get(McpClients);
  };

  beforeEach(async () => {
    server = await bootShop({ auth: { bearer: Object.values(CALLERS) } });
  });
  afterEach(async () => {
    await app.close();
    await server.close();
  });

  it('gives a client that acts for the caller, by an exchanged token (CLI-18) (OBO-01)', async () => {
    await boot();
    const asked: CallerExchange[] = [];
    const client = clients.forCaller('shop', createCaller('ada', ['a'], asked));
    expect(textOf(await client.callTool('whoami'))).toBe('ada');
    expect(asked[0]).toEqual({ resource: server.url, audience: undefined, scopes: undefined });
  });

  it('asks for what the registration says (CLI-18) (OBO-01)', async () => {
    await boot({ exchange: { audience: 'shop', scopes: ['shop:read'] } });
    const asked: CallerExchange[] = [];
    await clients.forCaller('shop', createCaller('ada', ['a'], asked)).ping();
    expect(asked[0]).toEqual({ audience: 'shop', resource: undefined, scopes: ['shop:read'] });
  });

  it('asks for another token where the server refuses the one at hand (CLI-18) (OBO-01)', async () => {
    await boot();
    const asked: CallerExchange[] = [];
    let kept = 'revoked-before';
    const { auth } = createCaller('ada');
    const exchange = async (request: CallerExchange) => {
      asked.push(request);
      if (request.refusedToken === kept) kept = CALLERS.ada.token;
      return kept;
    };
    const client = clients.forCaller('shop', { auth: { ...auth, exchange } });
    expect(textOf(await client.callTool('whoami'))).toBe('ada');
    kept = 'revoked-meanwhile';
    expect(textOf(await client.callTool('whoami'))).toBe('ada');
    expect(asked.filter(({ refusedToken }) => refusedToken !== undefined)).toEqual([
      { resource: server.url, refusedToken: 'revoked-before' },
      { resource: server.url, refusedToken: 'revoked-meanwhile' },
    ]);
  });

  it.each<[string, (count: number) => string]>([
    ['the same token', () => 'a-token-that-was-revoked'],
    ['another token each time', (count) => `a-token-for-another-service-${count}`],
  ])(
    'asks once for another where it gets %s, and says that it is refused (CLI-18) (OBO-01)',
    async (_what, give) => {
      await boot();
      const asked: CallerExchange[] = [];
      const { auth } = createCaller('ada');
      const exchange = async (request: CallerExchange) => {
        asked.push(request);
        return give(asked.length);
      };
      const client = clients.forCaller('shop', { auth: { ...auth, exchange } });
      for (const _attempt of [1, 2]) {
        await expect(client.callTool('whoami')).rejects.toMatchObject({ code: 'client_unauthorized' });
      }
      expect(asked.filter(({ refusedToken }) => refusedToken !== undefined)).toHaveLength(1);
    },
  );

  it('gives each caller a client of its own, whose lists are shared with nobody (CLI-18)', async () => {
    await server.close();
    const auth = { bearer: Object.values(CALLERS) };
    server = await bootShop({ auth, cache: { tools: { ttlMs: 60_000, scope: 'public' } } });
    await boot();
    const [ada, bob] = (['ada', 'bob'] as const).map((name) => clients.forCaller('shop', createCaller(name)));
    expect(ada).not.toBe(bob);
    await ada?.listTools();
    await bob?.listTools();
    expect(requests.count('tools/list')).toBeGreaterThanOrEqual(2);
    await expect(Promise.all([ada?.callTool('whoami'), bob?.callTool('whoami')])).resolves.toMatchObject([
      { content: [{ text: 'ada' }] },
      { content: [{ text: 'bob' }] },
    ]);
  });

  it('gives a caller the same client again, with the token that came last (CLI-18)', async () => {
    await boot();
    const first: CallerExchange[] = [];
    const second: CallerExchange[] = [];
    const client = clients.forCaller('shop', createCaller('ada', ['a', 'b'], first));
    await client.ping();
    const before = first.length;
    expect(clients.forCaller('shop', createCaller('ada', ['b', 'a'], second))).toBe(client);
    await client.ping();
    expect(first).toHaveLength(before);
    expect(second.length).toBeGreaterThan(0);
  });

  it('separates callers without an exchange, and then needs no issuer (CLI-18)', async () => {
    await boot({ exchange: false, headers: { authorization: `Bearer ${CALLERS.eve.token}` } });
    const exchange = () => Promise.reject(new Error('unused'));
    const [ada, bob] = ['ada', 'bob'].map((sub) =>
      clients.forCaller('shop', { auth: { claims: { sub }, exchange } }),
    );
    expect(ada).not.toBe(bob);
    expect(textOf(await ada!.callTool('whoami'))).toBe('eve');
  });

  it('exchanges no token without an issuer (OBO-01)', async () => {
    await boot();
    const caller = { auth: { claims: { sub: 'ada' }, exchange: () => Promise.resolve('token') } };
    expect(() => clients.forCaller('shop', caller)).toThrow('whose token has no "iss"');
  });

  it('gives another client to a token that allows something else (CLI-18)', async () => {
    await boot();
    const [narrow, wide] = [['a'], ['a', 'b']].map((scopes) =>
      clients.forCaller('shop', createCaller('ada', scopes)),
    );
    expect(narrow).not.toBe(wide);
  });

  it('closes the client that was asked for the longest time ago where there are too many (CLI-18)', async () => {
    await boot({ callers: { maximum: 1 } });
    const ada = clients.forCaller('shop', createCaller('ada'));
    await ada.ping();
    clients.forCaller('shop', createCaller('bob'));
    await expect(ada.ping()).rejects.toMatchObject({ code: 'client_closed' });
    await expect(clients.forCaller('shop', createCaller('ada')).ping()).resolves.toBeUndefined();
  });

  it('closes the clients of a caller with many tokens before those of others (CLI-18)', async () => {
    await boot({ callers: { maximum: 2 } });
    const bob = clients.forCaller('shop', createCaller('bob'));
    const ada = clients.forCaller('shop', createCaller('ada', ['a']));
    for (const scope of ['b', 'c', 'd']) clients.forCaller('shop', createCaller('ada', [scope]));
    await expect(ada.ping()).rejects.toMatchObject({ code: 'client_closed' });
    await expect(bob.ping()).resolves.toBeUndefined();
  });

  it('lets a call end before it closes its client (CLI-18)', async () => {
    await boot({ callers: { maximum: 1 } });
    const call = clients.forCaller('shop', createCaller('ada')).callTool('count');
    await until(() => requests.sent.includes('tools/call'), 'the call');
    clients.forCaller('shop', createCaller('bob'));
    expect(textOf(await call)).toBe('counted');
  });

  it('closes clients that nobody asks for (CLI-18)', async () => {
    await boot({ callers: { idleTimeoutMs: 50 } });
    const client = clients.forCaller('shop', createCaller('ada'));
    expect(await until(() => client.state === 'closed', 'the end of the client')).toBe(true);
  });

  it.each([
    ['who has no token', { claims: undefined }],
    ['whose token has no "sub"', { claims: { iss: ISSUER } }],
    ['whose token has no "iss"', { claims: { sub: 'ada' } }],
  ])('refuses a caller %s (CLI-18)', async (fault, auth) => {
    await boot();
    const caller = { auth: { ...auth, exchange: () => Promise.resolve('never') } };
    expect(() => clients.forCaller('shop', caller)).toThrow(fault);
  });

  it('refuses names of no client, and servers that are processes (CLI-18)', async () => {
    await boot();
    expect(() => clients.forCaller('desk', createCaller('ada'))).toThrow('registered clients: "shop"');
    expect(() => clients.get('desk')).toThrow('"clients.desk" is not registered');
  });

  it('closes them all with the application (CLI-18)', async () => {
    await boot();
    const client = clients.forCaller('shop', createCaller('ada'));
    await client.ping();
    await app.close();
    expect(client.state).toBe('closed');
  });
});
