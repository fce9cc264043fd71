import { describe, expect, it } from '@jest/globals';
import { collectCatalog, type SendRequest } from '../../../../cli/lint/collect-catalog.js';

const collect = (capabilities: Readonly<Record<string, unknown>>, ask: SendRequest) =>
  collectCatalog({ capabilities, instructions: 'Be kind' }, ask);

describe('collectCatalog()', () => {
  it('asks for what is declared, and for nothing else (KIT-04)', async () => {
    const asked: string[] = [];
    const catalog = await collect({ prompts: {} }, (method) => {
      asked.push(method);
      return Promise.resolve({ prompts: [{ name: 'triage' }] });
    });
    expect(asked).toEqual(['prompts/list']);
    expect(catalog).toEqual({ instructions: 'Be kind', prompts: [{ name: 'triage' }], isCut: false });
  });

  it('takes a method that is not there for an empty list, and nothing else (KIT-04)', async () => {
    const refuse = (code: number) =>
      collect({ resources: {} }, () => Promise.reject(Object.assign(new Error('refused'), { code })));
    expect(await refuse(-32601)).toMatchObject({ resources: [], resourceTemplates: [] });
    await expect(refuse(-32603)).rejects.toThrow('refused');
  });

  it.each([
    ['tiny pages', 1],
    ['large pages', 900],
  ])('says that it has not read a list without an end to it, in %s (KIT-04)', async (_, length) => {
    let page = 0;
    const { tools, isCut } = await collect({ tools: {} }, () => {
      page += 1;
      return Promise.resolve({ tools: Array.from({ length }, () => ({})), nextCursor: String(page) });
    });
    expect(isCut).toBe(true);
    expect(tools?.length).toBeLessThan(3_000);
    expect(page).toBeLessThanOrEqual(100);
  });

  it.each([[undefined], [null], [[]], [{}], [{ tools: 7 }], [{ tools: [], nextCursor: 7 }]])(
    'takes what is no list for an empty one: %j (KIT-04)',
    async (result) => {
      expect(await collect({ tools: {} }, () => Promise.resolve(result))).toMatchObject({ tools: [] });
    },
  );
});
