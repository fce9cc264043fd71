import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const DESCRIPTION = 'Sucht Störungen 🔥 im Haus. '.repeat(40);
const TOOLS = 100;

describe.each(ADAPTERS)('lists of a hundred kilobytes on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { pageSize: TOOLS } });
    const { tools } = desk.app.get(McpCatalog);
    for (let count = 0; count < TOOLS; count += 1) {
      tools.add({ name: `search_${count}`, description: DESCRIPTION }, () => 'found');
    }
  });

  afterAll(() => desk.close());

  it('arrive whole, whoever asks and however often (CORE-04)', async () => {
    const clients = [await initialize(desk.url), perRequest(desk.url)];
    for (const client of [...clients, ...clients]) {
      const { result } = await client.request('tools/list');
      const tools = result?.['tools'] as { name: string; description: string }[];
      expect(tools).toHaveLength(TOOLS);
      expect(tools.every(({ description }) => description === DESCRIPTION)).toBe(true);
    }
  });

  it('arrive whole on an event stream (CORE-04)', async () => {
    const client = perRequest(desk.url, { headers: { accept: 'text/event-stream' } });
    expect((await client.request('tools/list')).result?.['tools']).toHaveLength(TOOLS);
  });
});
