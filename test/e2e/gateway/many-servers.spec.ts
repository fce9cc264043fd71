import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog, McpModule } from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type RunningApp } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { bootGateway, type RunningGateway } from './gateway.app.js';

const SERVERS = 10;
const TOOLS = 200;
const ROUNDS = 9;

const Query = z.object({ query: z.string().describe('What to search for'), limit: z.number().default(10) });

/** Starts a server with tools of this name. */
async function bootTools(prefix: string, count: number): Promise<RunningApp> {
  const server = await bootApp({
    imports: [McpModule.forRoot({ serverInfo: { name: 'tools', version: '1.0.0' } })],
  });
  const { tools } = server.app.get(McpCatalog);
  for (let index = 0; index < count; index += 1) {
    const name = `${prefix}search-${index}`;
    tools.add({ name, description: `Searches collection ${index}`, inputSchema: Query }, () => 'found');
  }
  return server;
}

/** Lists all pages, and returns the names. */
async function list(url: string): Promise<readonly unknown[]> {
  const names: unknown[] = [];
  const client = perRequest(url);
  for (let cursor: unknown; ;) {
    const { result } = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    const { tools, nextCursor } = result as { tools: { name: string }[]; nextCursor?: string };
    names.push(...tools.map(({ name }) => name));
    if (nextCursor === undefined) return names;
    cursor = nextCursor;
  }
}

describe('Ten servers with 2000 tools behind a gateway', () => {
  let backs: readonly RunningApp[];
  let own: RunningApp;
  let gateway: RunningGateway;

  beforeAll(async () => {
    const keys = Array.from({ length: SERVERS }, (_, index) => `s${index}`);
    backs = await Promise.all(keys.map(() => bootTools('', TOOLS)));
    own = await bootTools('own-', SERVERS * TOOLS);
    const servers = keys.map((key, index) => [key, { url: backs[index]?.url ?? '' }] as const);
    gateway = await bootGateway({ servers: Object.fromEntries(servers) });
    await gateway.ready(...keys);
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([own, ...backs].map((app) => app.close()));
  });

  it('are listed in about the time of as many own tools (GATE-01)', async () => {
    expect(new Set(await list(gateway.url)).size).toBe(SERVERS * TOOLS);
    await list(own.url);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now();
      await list(own.url);
      const between = performance.now();
      await list(gateway.url);
      ratios.push((performance.now() - between) / (between - begun));
    }
    const [median = Infinity] = ratios.toSorted((one, other) => one - other).slice(ROUNDS >> 1);
    // Usually about 1. Other processes of the machine can disturb some of the rounds.
    expect(median).toBeLessThan(3);
  });
});
