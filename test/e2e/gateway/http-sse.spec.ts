import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { until } from '../../support/until.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { BookingHandlers } from '../input-requests/booking.app.js';
import {
  bootGateway,
  FRONTS,
  respond,
  textOf,
  type FrontClient,
  type RunningGateway,
} from './gateway.app.js';

const ROWS = FRONTS.map(([front, connect], index) => ({
  front,
  connect,
  adapter: ADAPTERS[index % ADAPTERS.length] ?? 'express',
}));

describe.each(ROWS)(
  'A server that speaks HTTP+SSE alone, behind a gateway on $adapter, with $front',
  (row) => {
    let shop: RunningShop;
    let gateway: RunningGateway;
    let client: FrontClient;

    beforeAll(async () => {
      shop = await bootShop({ sse: { path: '/mcp/sse' } }, [BookingHandlers]);
      const back = { url: `${shop.url}/sse`, limits: { refreshMs: 50 } };
      gateway = await bootGateway({ adapter: row.adapter, servers: { shop: back } });
      await gateway.ready('shop');
      client = (await row.connect(gateway.url)) as FrontClient;
    });
    afterAll(async () => {
      await client.close();
      await gateway.close();
      await shop.close();
    });

    it('is called, read and asked for prompts (GATE-01)', async () => {
      expect(await client.callTool({ name: 'shop_add', arguments: { a: 1, b: 2 } })).toMatchObject({
        structuredContent: { sum: 3 },
      });
      expect(await client.readResource({ uri: 'shop+shop://stock' })).toMatchObject({
        contents: [{ text: 'ten apples' }],
      });
      const prompt = await client.getPrompt({ name: 'shop_greeting', arguments: { who: 'Ada' } });
      expect(prompt.messages).toMatchObject([{ content: { text: 'Greet Ada' } }]);
    });

    it('asks the user of the client (GATE-02)', async () => {
      const asked = await respond(client);
      const result = await client.callTool({ name: 'shop_book', arguments: { city: 'Berlin' } });
      expect([textOf(result), asked.length]).toEqual(['Ada: 3 nights, single, nothing more', 2]);
    });

    it('changes its lists (GATE-02)', async () => {
      shop.shop.catalog.tools.add({ name: 'extra', description: 'Extra' }, () => 'extra');
      const names = async () => (await client.listTools()).tools.map(({ name }) => name);
      await until(async () => (await names()).includes('shop_extra'), 'the new tool');
      expect(textOf(await client.callTool({ name: 'shop_extra' }))).toBe('extra');
    });

    it('is connected again after its stream is cut (GATE-02)', async () => {
      shop.app.getHttpServer().closeAllConnections();
      const isAdded = async () => {
        const result = await client.callTool({ name: 'shop_add', arguments: { a: 2, b: 2 } });
        return result.isError !== true && result.structuredContent;
      };
      expect(await until(isAdded, 'another connection')).toEqual({ sum: 4 });
    });
  },
);
