import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { bootShop, type RunningShop } from '../client-module/shop.app.js';
import { bootGateway, FRONTS, NOTES, textOf, type FrontClient, type RunningGateway } from './gateway.app.js';

const ROWS = ADAPTERS.flatMap((adapter) => FRONTS.map(([front, connect]) => ({ adapter, front, connect })));

describe.each(ROWS)('A gateway on $adapter, before $front', ({ adapter, connect }) => {
  let shop: RunningShop;
  let gateway: RunningGateway;
  let client: FrontClient;

  beforeAll(async () => {
    shop = await bootShop();
    gateway = await bootGateway({ adapter, servers: { shop: { url: shop.url }, notes: NOTES } });
    await gateway.ready('shop', 'notes');
    client = (await connect(gateway.url)) as FrontClient;
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
    await shop.close();
  });

  it('offers the tools of a server over HTTP and of a process, under a prefix (GATE-01)', async () => {
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['shop_add', 'notes_write']));
    const add = tools.find(({ name }) => name === 'shop_add');
    expect(add?.inputSchema).toMatchObject({ properties: { a: { type: 'number' } }, required: ['a', 'b'] });
    const result = await client.callTool({ name: 'shop_add', arguments: { a: 1, b: 2 } });
    expect(result).toMatchObject({ structuredContent: { sum: 3 } });
  });

  it('lets the server refuse arguments, and passes its reason on (GATE-01)', async () => {
    const refused = await client.callTool({ name: 'shop_add', arguments: { a: 'one', b: 2 } });
    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toContain('a');
  });

  it('rewrites links to resources, which can be read (GATE-01)', async () => {
    const { content } = await client.callTool({ name: 'notes_write', arguments: { text: 'x' } });
    expect(content).toMatchObject([{ text: 'wrote x' }, { uri: 'notes+note://1' }]);
    const { contents } = await client.readResource({ uri: 'notes+note://1' });
    expect(contents).toMatchObject([{ uri: 'notes+note://1', text: 'the first note' }]);
  });

  it('offers resources, templates and prompts with their completions (GATE-01)', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).toSorted()).toEqual(['notes+note://1', 'shop+shop://stock']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('notes+note://all/{id}');
    const read = await client.readResource({ uri: 'shop+shop://goods/plums' });
    expect(read.contents).toMatchObject([{ text: 'a box of plums' }]);
    const prompt = await client.getPrompt({ name: 'shop_greeting', arguments: { who: 'Ada' } });
    expect(prompt.messages).toMatchObject([{ content: { text: 'Greet Ada' } }]);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'shop_greeting' },
      argument: { name: 'who', value: 'A' },
    });
    expect(completion.values).toEqual(['Ada', 'Alan']);
    const ids = await client.complete({
      ref: { type: 'ref/resource', uri: 'notes+note://all/{id}' },
      argument: { name: 'id', value: '' },
    });
    expect(ids.completion.values).toEqual(['7', '8']);
  });

  it('passes progress, and cancels at the server what its client cancels (GATE-02)', async () => {
    const reports: unknown[] = [];
    const options = { onprogress: (report: unknown) => void reports.push(report) };
    await (client as { callTool: (...args: unknown[]) => Promise<unknown> }).callTool(
      { name: 'shop_count' },
      ...('getProtocolEra' in client ? [options] : [undefined, options]),
    );
    expect(reports).toMatchObject([{ progress: 1 }, { progress: 2 }]);
  });
});
