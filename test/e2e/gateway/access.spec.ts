import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpAudit, type AuditEvent } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, textOf, type RunningGateway } from './gateway.app.js';

describe.each(ADAPTERS)('Access to the entries of a gateway on %s', (adapter) => {
  const events: AuditEvent[] = [];
  let shop: RunningShop;
  let gateway: RunningGateway;
  const clients: Client[] = [];

  const connect = async (caller: keyof typeof CALLERS) => {
    const client = new Client({ name: 'front', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { authorization: `Bearer ${CALLERS[caller].token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }),
    );
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    shop = await bootShop();
    gateway = await bootGateway({
      adapter,
      options: { auth: { bearer: Object.values(CALLERS) } },
      servers: {
        shop: {
          url: shop.url,
          requiredScopes: ['desk:read'],
          visible: ({ auth }) => auth.claims?.sub !== 'eve',
          resultBytes: 2000,
          tools: {
            exclude: ['wait'],
            change: {
              add: {
                name: 'sum',
                description: 'Adds',
                annotations: { readOnlyHint: true },
                requiredScopes: ['desk:write'],
              },
              count: { visible: ({ auth }) => auth.hasScope('desk:write') },
              fail: { requiredScopes: [({ arguments: args }) => ('why' in args ? ['desk:admin'] : [])] },
            },
          },
          resources: { include: ['shop://stock'] },
          prompts: false,
        },
      },
    });
    gateway.app.get(McpAudit).events$.subscribe((event) => void events.push(event));
    await gateway.ready('shop');
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await gateway.close();
    await shop.close();
  });

  it('is decided by scopes of the server, of a tool and of a function (GATE-01)', async () => {
    const [ada, bob] = [await connect('ada'), await connect('bob')];
    const add = { name: 'shop_sum', arguments: { a: 1, b: 2 } };
    expect(await ada.callTool(add)).toMatchObject({ structuredContent: { sum: 3 } });
    await expect(bob.callTool(add)).rejects.toBeInstanceOf(Error);
    expect(textOf(await bob.callTool({ name: 'shop_whoami' }))).toBe('nobody');
    const fails = (args: Record<string, unknown>) => ada.callTool({ name: 'shop_fail', arguments: args });
    expect(await fails({})).toMatchObject({ isError: true });
    await expect(fails({ why: 'because' })).rejects.toBeInstanceOf(Error);
  });

  it('is decided by what a caller may see (GATE-01)', async () => {
    const listed = async (caller: keyof typeof CALLERS) =>
      (await (await connect(caller)).listTools()).tools.map(({ name }) => name).toSorted();
    expect(await listed('ada')).toEqual(['shop_count', 'shop_fail', 'shop_sum', 'shop_whoami']);
    expect(await listed('bob')).not.toContain('shop_count');
    expect(await listed('eve')).toEqual([]);
    await expect((await connect('eve')).callTool({ name: 'shop_whoami' })).rejects.toThrow(/unknown tool/);
  });

  it('shows entries with their changes, and none that are left out (GATE-01)', async () => {
    const ada = await connect('ada');
    const { tools } = await ada.listTools();
    expect(tools.find(({ name }) => name === 'shop_sum')).toMatchObject({
      description: 'Adds',
      annotations: { readOnlyHint: true },
    });
    const { resources } = await ada.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['shop+shop://stock']);
    expect(ada.getServerCapabilities()?.prompts).toBeUndefined();
  });

  it('is audited like that of all others (GATE-01)', async () => {
    events.length = 0;
    const ada = await connect('ada');
    await ada.callTool({ name: 'shop_sum', arguments: { a: 1, b: 2 } });
    expect(events.find(({ target }) => target === 'shop_sum')).toMatchObject({
      method: 'tools/call',
      outcome: 'ok',
      caller: { subject: 'ada' },
    });
  });

  it('never sends the token of a caller to the server (GATE-03)', async () => {
    const seen: string[] = [];
    const record: typeof fetch = (input, init) => {
      seen.push(JSON.stringify([...new Headers(init?.headers).entries()]) + JSON.stringify(init?.body));
      return fetch(input, init);
    };
    const other = await bootGateway({
      adapter,
      options: { auth: { bearer: Object.values(CALLERS) } },
      servers: { shop: { url: shop.url, fetch: record, headers: { 'x-key': 'own' } } },
    });
    await other.ready('shop');
    const client = new Client({ name: 'f', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const headers = { authorization: `Bearer ${CALLERS.ada.token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(other.url), { requestInit: { headers } }));
    await client.callTool({ name: 'shop_whoami' });
    await client.close();
    await other.close();
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join()).toContain('x-key');
    expect(seen.join()).not.toContain(CALLERS.ada.token);
  });
});
