import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Prompt, Tool, type McpContext, type PromptMessage } from 'nestjs-mcp';
import type { GatewayServerOptions } from 'nestjs-mcp/gateway';
import { until } from '../../support/until.js';
import { bootShop, WIRES, type RunningShop } from '../client-module/shop.app.js';
import { BookingHandlers } from '../input-requests/booking.app.js';
import { bootGateway, textOf, type RunningGateway } from './gateway.app.js';

@Injectable()
class Extras {
  @Tool({ description: 'Has metadata', _meta: { 'io.nestjs-mcp/own': 1, 'com.example/other': 2 } })
  described(): string {
    return 'described';
  }

  @Tool({ description: 'Reports progress without end' })
  report(_: object, context: McpContext): string {
    for (let step = 1; step <= 500; step += 1) context.progress(step, 500);
    return 'reported';
  }

  @Prompt({ description: 'Embeds the stock' })
  embed(): PromptMessage[] {
    const resource = { uri: 'shop://stock', text: 'ten apples' };
    return [{ role: 'user', content: { type: 'resource', resource } }];
  }
}

describe('The options of a server behind a gateway', () => {
  const clients: Client[] = [];
  let shop: RunningShop;
  let gateway: RunningGateway;

  const boot = async (options: Partial<GatewayServerOptions> = {}) => {
    gateway = await bootGateway({ servers: { shop: { url: shop.url, ...options } } });
    await gateway.ready('shop');
  };
  const connect = async (
    answer: () => Promise<never> | { action: 'decline' } = () => ({ action: 'decline' }),
    mode: 'legacy' | { pin: string } = { pin: '2026-07-28' },
  ) => {
    const client = new Client(
      { name: 'front', version: '1.0.0' },
      {
        capabilities: { elicitation: { form: {} }, roots: {} },
        versionNegotiation: { mode },
      },
    );
    client.setRequestHandler('elicitation/create', answer);
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///etc', name: 'etc' }] }));
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url)));
    clients.push(client);
    return client;
  };

  beforeAll(async () => void (shop = await bootShop({}, [Extras, BookingHandlers])));
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await gateway.close();
  });
  afterAll(() => shop.close());

  it('change URIs in prompts, and leave out metadata that only this server may set (GATE-01)', async () => {
    await boot();
    const client = await connect();
    const { messages } = await client.getPrompt({ name: 'shop_embed' });
    expect(messages).toMatchObject([{ content: { resource: { uri: 'shop+shop://stock' } } }]);
    const { tools } = await client.listTools();
    const meta = tools.find(({ name }) => name === 'shop_described')?._meta;
    expect([meta?.['io.nestjs-mcp/own'], meta?.['com.example/other']]).toEqual([undefined, 2]);
  });

  it('limit progress (GATE-02)', async () => {
    await boot({ limits: { notificationsPerSecond: 5 } });
    const client = await connect();
    let reports = 0;
    const onprogress = () => void (reports += 1);
    expect(textOf(await client.callTool({ name: 'shop_report' }, { onprogress }))).toBe('reported');
    expect(reports).toBeGreaterThan(0);
    expect(reports).toBeLessThan(100);
  });

  it.each(WIRES)('keep questions of a server of %j from clients (GATE-02)', async (negotiation) => {
    await boot({ negotiation, inputRequests: ['sampling'] });
    let asked = 0;
    const client = await connect(() => {
      asked += 1;
      return { action: 'decline' };
    });
    const call = client.callTool({ name: 'shop_book', arguments: { city: 'Berlin' } });
    const outcome = await call.catch((error: unknown) => ({ isError: true, error }));
    expect([outcome.isError, asked]).toEqual([true, 0]);
    expect(textOf(await client.callTool({ name: 'shop_described' }))).toBe('described');
  });

  it.each(WIRES)(
    'keep the roots of a caller from a connection to a server of %j that others share (GATE-03)',
    async (negotiation) => {
      await boot({ negotiation });
      const refused = await (await connect()).callTool({ name: 'shop_folders' }).catch(() => undefined);
      expect(textOf(refused ?? { content: [] })).not.toBe('etc');
      await gateway.close();
      await boot({ negotiation, inputRequests: ['roots'] });
      expect(textOf(await (await connect()).callTool({ name: 'shop_folders' }))).toBe('etc');
    },
  );

  it('limit how many calls run (GATE-02)', async () => {
    await boot({ concurrency: { max: 1, queue: 0 } });
    const [one, other] = [await connect(), await connect()];
    const stop = new AbortController();
    const waiting = one.callTool({ name: 'shop_wait' }, { signal: stop.signal }).catch(() => 'stopped');
    await until(() => shop.shop.seen.includes('wait'), 'the call');
    const refused = await other.callTool({ name: 'shop_wait' }).catch((error: unknown) => error);
    expect(JSON.stringify(refused)).toMatch(/retry|limit|concurrent|32023/i);
    stop.abort();
    expect(await waiting).toBe('stopped');
  });

  it('limit how many calls wait for their clients (GATE-02)', async () => {
    await boot({ negotiation: 'legacy', limits: { waitingCalls: 1 } });
    let asked = 0;
    const never = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const client = await connect(never, 'legacy');
    const book = { name: 'shop_book', arguments: { city: 'Berlin' } };
    const waiting = client.callTool(book).catch(() => 'closed');
    await until(() => asked === 1, 'the question');
    expect(textOf(await client.callTool(book))).toContain('waiting for their clients');
    await client.close();
    expect(await waiting).toBe('closed');
  });
});
