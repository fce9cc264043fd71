import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { App, Tool } from 'nestjs-mcp';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, type FrontClient, type RunningGateway } from './gateway.app.js';

const PAGE = 'ui://shop/board';

@Injectable()
class Boards {
  @App({ uri: PAGE, name: 'board' })
  page(): string {
    return '<!doctype html><title>Board</title>';
  }

  @Tool({ description: 'Shows the board', ui: PAGE })
  board(): string {
    return 'shown';
  }

  @Tool({ description: 'Moves a card', ui: { visibility: ['app'] } })
  move(): string {
    return 'moved';
  }
}

const INFO = { name: 'host', version: '1.0.0' };
/** What hosts declare that display apps. */
const CAPABILITIES = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

const ROWS = [
  {
    adapter: 'express',
    front: 'v1 (2025-11-25)',
    connect: async (url: string) => {
      const client = new ClientV1(INFO, { capabilities: CAPABILITIES });
      await client.connect(new HttpV1(new URL(url)));
      return client as unknown as FrontClient;
    },
  },
  {
    adapter: 'fastify',
    front: 'v2 (2026-07-28)',
    connect: async (url: string): Promise<FrontClient> => {
      const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
      const client = new ClientV2(INFO, { capabilities: CAPABILITIES, versionNegotiation });
      await client.connect(new HttpV2(new URL(url)));
      return client;
    },
  },
] as const;

describe.each(ROWS)('Apps of servers behind a gateway on $adapter, with $front', ({ adapter, connect }) => {
  let shop: RunningShop;
  let gateway: RunningGateway;
  let client: FrontClient;

  const findTool = async (name: string) =>
    (await client.listTools()).tools.find((tool) => tool.name === name);

  beforeAll(async () => {
    shop = await bootShop({}, [Boards]);
    gateway = await bootGateway({
      adapter,
      servers: { shop: { url: shop.url, apps: true }, plain: { url: shop.url } },
    });
    await gateway.ready('shop', 'plain');
    client = await connect(gateway.url);
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
    await shop.close();
  });

  it('are offered if the server has the option, under a URI that hosts recognize (GATE-01)', async () => {
    const uri = 'ui://shop+shop/board';
    expect((await findTool('shop_board'))?._meta).toMatchObject({ ui: { resourceUri: uri } });
    expect((await findTool('shop_move'))?._meta).toMatchObject({ ui: { visibility: ['app'] } });
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/html;profile=mcp-app' }]);
    expect(contents).toMatchObject([{ text: expect.stringContaining('<title>Board</title>') }]);
  });

  it('are removed otherwise, with the tools that only they can call (GATE-01)', async () => {
    expect(await findTool('plain_move')).toBeUndefined();
    // Without it, the apps of the other server could call the tool.
    expect((await findTool('plain_board'))?._meta?.['ui']).toEqual({ visibility: ['model'] });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).toSorted()).toEqual([
      'plain+shop://stock',
      'shop+shop://stock',
      'ui://shop+shop/board',
    ]);
  });
});
