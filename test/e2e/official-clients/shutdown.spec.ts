import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { GreetingTool } from '../../support/applications/greeting-tool.js';
import { within } from '../../support/until.js';

const PLACES = ADAPTERS.flatMap((adapter) => ['/mcp', '/sse'].map((path) => ({ adapter, path })));

describe.each(PLACES)('app.close() for the official client v2 at $path, on $adapter', ({ adapter, path }) => {
  let client: Client;
  let desk: RunningApp;

  afterEach(async () => {
    await client.close();
    await desk.close();
  });

  it('ends its subscription without an error (NOTE-08) (MOD-12)', async () => {
    desk = await bootServer({ adapter, options: { sse: true }, providers: [GreetingTool] });
    client = new Client(
      { name: 'listener', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const url = new URL(`${desk.origin}${path}`);
    const transport = path === '/sse' ? new SSEClientTransport(url) : new StreamableHTTPClientTransport(url);
    await client.connect(transport);
    const subscription = await client.listen({ toolsListChanged: true });
    await within(desk.close(), 'the application to close');
    expect(await within(subscription.closed, 'the end of the subscription')).toBe('graceful');
  });
});
