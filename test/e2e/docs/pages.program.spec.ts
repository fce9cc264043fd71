import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compilePages, ServedPage } from './pages.js';
import { readPage } from './snippets.js';

beforeAll(() => compilePages());

/** Serves a page for the tests of a `describe`. */
function serve(page: string): { readonly page: ServedPage } {
  const served: { page?: ServedPage } = {};
  beforeAll(async () => {
    served.page = await ServedPage.serve(page);
  });
  afterAll(() => served.page?.close());
  return {
    get page() {
      if (served.page === undefined) throw new Error(`"${page}" is not served`);
      return served.page;
    },
  };
}

describe('the handlers of docs/tools.md', () => {
  const tools = serve('docs/tools.md');

  it('return everything that a tool may (MOD-08, CORE-06)', async () => {
    const { page } = tools;
    expect(await page.call('weather')).toBe('Rain, 12 °C');
    expect(await page.call('to_fahrenheit', { celsius: 100 })).toEqual({ fahrenheit: 212 });
    expect(await page.call('compare')).toEqual({ north: 9, south: 14 });
    expect(await page.call('measure')).toBe('12.2 °C');
    expect(await page.call('forecast', { days: 30 })).toContain('at most 14 days');
    const { content } = await page.client.callTool({ name: 'rain_radar' });
    expect(content.map(({ type }) => type)).toEqual(['text', 'image', 'resource_link']);
  });
});

describe('the handlers of docs/resources.md', () => {
  const resources = serve('docs/resources.md');

  it('return everything that a resource may (CORE-06)', async () => {
    const { page } = resources;
    expect(JSON.parse(await page.read('weather://stations'))).toHaveLength(2);
    expect(await page.read('weather://logo')).toMatch(/^R0lGODlh/);
    expect(await page.read('weather://manual')).toBe(readPage('README.md'));
    expect(JSON.parse(await page.read('weather://stations/north'))).toMatchObject({ id: 'north' });
  });

  it('complete the variable of a template', async () => {
    const ref = { type: 'ref/resource', uri: 'weather://stations/{id}' } as const;
    const argument = { name: 'id', value: 'n' };
    const { completion } = await resources.page.client.complete({ ref, argument });
    expect(completion.values).toEqual(['north']);
  });
});

describe('the handlers of docs/prompts.md', () => {
  const prompts = serve('docs/prompts.md');

  it('return messages for a prompt', async () => {
    const { client } = prompts.page;
    const { messages } = await client.getPrompt({ name: 'report', arguments: { station: 'north' } });
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    const warning = await client.getPrompt({ name: 'warn', arguments: { what: 'hail' } });
    expect(JSON.stringify(warning.messages)).toContain('Write a warning of hail');
  });

  it('complete the argument of a prompt', async () => {
    const ref = { type: 'ref/prompt', name: 'report' } as const;
    const argument = { name: 'station', value: 'n' };
    const { completion } = await prompts.page.client.complete({ ref, argument });
    expect(completion.values).toEqual(['north']);
  });
});

describe('the handlers of docs/context.md', () => {
  const context = serve('docs/context.md');

  it('receive what their parameters ask for (MOD-08)', async () => {
    const { page } = context;
    expect(await page.call('move', { from: 'A', to: 'B' })).toBe('reader moved it from A to B');
    expect(JSON.parse(await page.read('warehouse://shelves/7'))).toEqual({ number: 7, next: 8 });
    await expect(page.read('warehouse://shelves/seven')).rejects.toThrow('numeric string is expected');
  });
});

describe('the handlers of docs/schemas.md', () => {
  const schemas = serve('docs/schemas.md');

  it('take arguments by any kind of schema (MOD-07)', async () => {
    const { page } = schemas;
    for (const name of ['with_zod', 'with_arktype', 'with_valibot', 'forecast']) {
      expect(await page.call(name, { city: 'Ulm' })).toBe('Ulm: 3 days of rain');
    }
    const to = { street: 'Long Lane 1', city: 'Ulm' };
    expect(await page.call('ship', { to })).toBe('On its way to Ulm');
  });

  it('are answered for with the text that the page shows (MOD-07, CORE-05)', async () => {
    const text = await schemas.page.call('with_zod', { days: 30 });
    expect(readPage('docs/schemas.md')).toContain(`\`\`\`text\n${String(text)}\n\`\`\``);
  });
});

describe('the handlers of docs/pipeline.md', () => {
  const pipeline = serve('docs/pipeline.md');

  it('run through the guard, the interceptor and the filter (MOD-03)', async () => {
    const { page } = pipeline;
    expect(await page.call('order', { article: 'boots' })).toBe('Ordered: boots');
    expect(await page.call('order', { article: 'umbrella' })).toBe(
      '"umbrella" is out of stock (since Monday); offer another one',
    );
  });

  it('have a request-scoped provider of their own (MOD-04)', async () => {
    expect(await pipeline.page.call('greet')).toBe('Hello, reader of nowhere');
  });

  it('work with the packages that the page shows (APP-02)', async () => {
    const { page } = pipeline;
    expect(await page.call('tenant')).toBe('nobody');
    expect(await page.call('welcome')).toBe('Welcome');
    expect(await page.call('price')).toBe('12 €');
    expect(await page.call('count_stock')).toEqual({ boots: 7 });
  });
});

describe('the handlers of docs/notifications.md', () => {
  const notifications = serve('docs/notifications.md');

  it('report progress (PROG-01)', async () => {
    const files: (string | undefined)[] = [];
    await notifications.page.client.callTool(
      { name: 'import_files', arguments: { files: ['a.csv', 'b.csv'] } },
      { onprogress: ({ message }) => files.push(message) },
    );
    expect(files).toEqual(['a.csv', 'b.csv']);
  });
});
