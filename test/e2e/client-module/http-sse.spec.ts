import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import type { HttpClientOptions } from 'nestjs-mcp/client-module';
import { StaticTokenSource } from 'nestjs-mcp/client';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';
import { until } from '../../support/until.js';
import { RecordedFetch } from './recorded-fetch.js';
import { bootCustomer, bootShop, type Customer, type RunningShop } from './shop.app.js';

const TOKEN = 'token-of-the-customer';

describe('McpClient at a server that speaks only HTTP+SSE (2024-11-05)', () => {
  let shop: RunningShop;
  let customer: Customer | undefined;
  let recorded: RecordedFetch;

  beforeEach(() => {
    recorded = new RecordedFetch();
  });

  afterEach(async () => {
    await customer?.app.close();
    await shop?.close();
  });

  const open = async (options: Partial<HttpClientOptions> = {}, server: Partial<McpOptions> = {}) => {
    shop = await bootShop({ sse: { path: '/mcp/sse' }, ...server });
    customer = await bootCustomer({ url: `${shop.url}/sse`, fetch: recorded.fetch, ...options });
    return customer.client;
  };

  it('calls, lists, reads and gets (CLI-18, SSE-01)', async () => {
    const client = await open();
    expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } });
    expect((await client.listTools()).map(({ name }) => name)).toContain('add');
    expect(await client.readResource('shop://stock')).toMatchObject({ contents: [{ text: 'ten apples' }] });
    expect(await client.getPrompt('greeting', { who: 'Ada' })).toMatchObject({
      messages: [{ role: 'user' }],
    });
    await client.ping();
  });

  it('cancels (CLI-18, SSE-01)', async () => {
    const client = await open();
    const given = new AbortController();
    const waiting = client.callTool('wait', {}, { signal: given.signal });
    await until(() => shop.shop.seen.includes('wait'), 'the call');
    given.abort();
    await expect(waiting).rejects.toThrow(/abort/);
    await until(() => shop.shop.seen.includes('cancelled'), 'the cancellation');
  });

  it('sends its token to the stream and to the URL that the stream names (CLI-13)', async () => {
    const auth = { bearer: { token: TOKEN, subject: 'ada' } };
    const client = await open({ auth: new StaticTokenSource(TOKEN) }, { auth });
    expect(await client.callTool('whoami')).toMatchObject({ content: [{ text: 'ada' }] });
    expect(recorded.sent).toContain('GET');
  });

  it('connects again when its stream is cut (CLI-18, SSE-01)', async () => {
    const client = await open();
    await client.callTool('add', { a: 1, b: 2 });
    shop.app.getHttpServer().closeAllConnections();
    await until(() => client.state !== 'connected', 'the end of the connection');
    expect(await client.callTool('add', { a: 2, b: 2 })).toMatchObject({ structuredContent: { sum: 4 } });
  });

  it('does not look for it where one revision is wanted alone (CLI-18)', async () => {
    const client = await open({ negotiation: { pin: '2026-07-28' }, reconnect: false });
    await expect(client.callTool('add', { a: 1, b: 2 })).rejects.toBeInstanceOf(Error);
    expect(recorded.sent).not.toContain('GET');
  });

  it('says what the server said where it speaks neither (CLI-18)', async () => {
    const endpoint = await FixtureEndpoint.start({
      takeOver: (_, response) => {
        response.writeHead(404).end();
        return true;
      },
    });
    customer = await bootCustomer({ url: endpoint.url, reconnect: false });
    await expect(customer.client.callTool('add')).rejects.toBeInstanceOf(Error);
    expect(endpoint.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
    await endpoint.stop();
  });
});
