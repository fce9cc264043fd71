import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import type { GatewayServerOptions } from 'nestjs-mcp/gateway';
import { bootShop, WIRES, type RunningShop } from '../client-module/shop.app.js';
import { BookingHandlers } from '../input-requests/booking.app.js';
import {
  bootGateway,
  FRONTS,
  NOTES,
  respond,
  textOf,
  type FrontClient,
  type RunningGateway,
} from './gateway.app.js';

/** There is one caller, whose roots are those of the connection. */
const FORWARDED = { inputRequests: ['elicitation', 'sampling', 'roots'] } as const;

const ROWS = WIRES.flatMap((negotiation) =>
  FRONTS.map(([front, connect]) => ({ negotiation, back: JSON.stringify(negotiation), front, connect })),
);

describe.each(ROWS)('A server of $back behind a gateway, with $front in front', (row) => {
  let shop: RunningShop;
  let gateway: RunningGateway;
  let client: FrontClient;
  let asked: string[];

  beforeAll(async () => {
    const options: Partial<McpOptions> = {};
    shop = await bootShop(options, [BookingHandlers]);
    const back: GatewayServerOptions = { url: shop.url, negotiation: row.negotiation, ...FORWARDED };
    gateway = await bootGateway({ servers: { shop: back, notes: { ...NOTES, ...FORWARDED } } });
    await gateway.ready('shop', 'notes');
    client = (await row.connect(gateway.url)) as FrontClient;
    asked = await respond(client);
  });
  afterAll(async () => {
    await client?.close();
    await gateway?.close();
    await shop.close();
  });

  it('asks the user of the client, as often as it must (GATE-02)', async () => {
    asked.length = 0;
    const result = await client.callTool({ name: 'shop_book', arguments: { city: 'Berlin' } });
    expect(textOf(result)).toBe('Ada: 3 nights, single, nothing more');
    expect(asked).toEqual(['How long in Berlin?', 'Who comes?']);
  });

  it('asks the model of the client (GATE-02)', async () => {
    expect(textOf(await client.callTool({ name: 'shop_greet' }))).toBe('parrot: hello');
  });

  it('learns the roots of the client (GATE-02)', async () => {
    expect(textOf(await client.callTool({ name: 'shop_folders' }))).toBe('reports');
  });

  it('asks several things at once (GATE-02)', async () => {
    expect(textOf(await client.callTool({ name: 'shop_prepare' }))).toBe('accept, parrot, 1');
  });

  it('keeps a state between two questions (GATE-02)', async () => {
    expect(textOf(await client.callTool({ name: 'shop_survey' }))).toBe('Thank you: accept');
  });

  it('asks for a prompt too (GATE-02)', async () => {
    const { messages } = await client.getPrompt({ name: 'shop_plan' });
    expect(messages).toMatchObject([{ content: { text: 'Plan a trip for Ada' } }]);
  });

  it('asks over stdio too, with the official SDK (GATE-02)', async () => {
    const answer = await client.callTool({ name: 'notes_ask' });
    expect(JSON.parse(textOf(answer) ?? '')).toEqual({ action: 'accept', content: { note: 'one' } });
    expect(textOf(await client.callTool({ name: 'notes_model' }))).toContain('hello');
    expect(textOf(await client.callTool({ name: 'notes_roots' }))).toBe('file:///srv/reports');
  });
});
