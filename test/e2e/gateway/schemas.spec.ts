import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { bootGateway, FRONTS, textOf, type FrontClient, type RunningGateway } from './gateway.app.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const circle = {
  type: 'object',
  properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
  required: ['kind', 'radius'],
};
const square = {
  type: 'object',
  properties: { kind: { const: 'square' }, side: { type: 'number' } },
  required: ['kind', 'side'],
};
const UNION = { type: 'object', properties: {}, oneOf: [circle, square] };
const NAMED = {
  $schema: DIALECT,
  type: 'object',
  $defs: { address: { $anchor: 'place', type: 'object', properties: { street: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  anyOf: [{ required: ['name'] }, { required: ['address'] }],
  additionalProperties: false,
};
const OUTPUT = {
  $schema: DIALECT,
  type: 'object',
  $defs: { area: { type: 'number' } },
  properties: { area: { $ref: '#/$defs/area' } },
};
const PAIR = { type: 'array', items: [{ type: 'number' }, { type: 'number' }] };
const OLDER = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { pair: PAIR },
};
const TOOLS = [
  { name: 'union', inputSchema: UNION, outputSchema: OUTPUT },
  { name: 'named', inputSchema: NAMED },
  { name: 'older', inputSchema: OLDER },
];

describe.each(FRONTS)('The schemas of tools behind a gateway, with %s', (front, connect) => {
  const isNewest = front.includes('2026');
  let gateway: RunningGateway;
  let client: FrontClient;

  const find = async (name: string) => (await client.listTools()).tools.find((tool) => tool.name === name);

  beforeAll(async () => {
    const args = [resolve('test/support/gateway/drawing-server.mjs'), JSON.stringify(TOOLS)];
    gateway = await bootGateway({ servers: { drawing: { command: process.execPath, args, prefix: '' } } });
    await gateway.ready('drawing');
    client = (await connect(gateway.url)) as FrontClient;
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
  });

  it('are unchanged if they name the dialect of the protocol (GATE-01)', async () => {
    expect((await find('named'))?.inputSchema).toEqual(NAMED);
  });

  it('have a union at the root only where the revision allows it (GATE-01)', async () => {
    const flat = {
      type: 'object',
      properties: expect.objectContaining({ kind: expect.objectContaining({ enum: ['circle', 'square'] }) }),
      required: ['kind'],
    };
    expect((await find('union'))?.inputSchema).toEqual(isNewest ? UNION : flat);
  });

  it('have references in results only where the revision allows them (GATE-01)', async () => {
    const inlined = { ...OUTPUT, properties: OUTPUT.$defs };
    expect((await find('union'))?.outputSchema).toEqual(isNewest ? OUTPUT : inlined);
  });

  it('are translated from another dialect (GATE-01)', async () => {
    const listed = (await find('older'))?.inputSchema;
    expect(listed).toMatchObject({ properties: { pair: { prefixItems: PAIR.items } } });
    expect(listed).not.toHaveProperty('$schema');
  });

  it('do not validate arguments, which their server does (GATE-01)', async () => {
    const call = { name: 'union', arguments: { kind: 'triangle' } };
    expect(textOf(await client.callTool(call))).toBe('{"kind":"triangle"}');
  });
});
