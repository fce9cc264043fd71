import { beforeEach, describe, expect, it } from '@jest/globals';
import { CompletionCompleteMethod } from '../../../../lib/server/methods/completion-complete.method.js';
import { HandlerResultError } from '../../../../lib/server/methods/results/handler-result.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, type Json } from '../../support/requests.js';
import { buildLimits } from '../../support/limits.js';
import { buildSettings } from '../../support/settings.js';

const PROMPT = { type: 'ref/prompt', name: 'greet' };
const TEMPLATE = { type: 'ref/resource', uri: 'desk://tickets/{id}' };

describe('completion/complete (MCP server/utilities/completion)', () => {
  let catalog: TestCatalog;

  beforeEach(() => {
    catalog = new TestCatalog();
    const { entries } = catalog;
    entries.prompts.add({ name: 'greet', arguments: [{ name: 'who' }, { name: 'how' }] }, () => 'x');
    entries.resourceTemplates.add({ name: 'ticket', uriTemplate: 'desk://tickets/{id}' }, () => 'x');
    entries.resources.add({ name: 'faq', uri: 'desk://faq' }, () => 'x');
    catalog.addCompletion({ prompt: 'greet', argument: 'who' }, (args) => [JSON.stringify(args)]);
    catalog.addCompletion({ resourceTemplate: 'desk://tickets/{id}', argument: 'id' }, () => ({
      values: ['1', '2'],
      total: 7,
      hasMore: true,
    }));
  });

  function complete(params: Json) {
    const { completions, prompts, resources, templates } = catalog;
    const method = new CompletionCompleteMethod(
      completions,
      prompts,
      resources,
      templates,
      buildSettings(),
      buildLimits(),
    );
    return method.handle(buildContext('completion/complete', { params }));
  }

  it('gives the handler the value, the name and what is settled already (CORE-03)', async () => {
    const argument = { name: 'who', value: 'y' };
    const settled = { arguments: { how: 'softly' } };
    const [value] = (await complete({ ref: PROMPT, argument, context: settled }).then(valuesOf)) as [string];
    expect(JSON.parse(value)).toEqual({ name: 'who', value: 'y', arguments: { how: 'softly' } });
    const [alone] = (await complete({ ref: PROMPT, argument }).then(valuesOf)) as [string];
    expect(JSON.parse(alone)).toMatchObject({ arguments: {} });
  });

  function valuesOf(result: Json): unknown {
    return (result['completion'] as Json)['values'];
  }

  it('completes a variable of a template, with what the handler knows of the rest (CORE-03)', async () => {
    expect(await complete({ ref: TEMPLATE, argument: { name: 'id', value: '' } })).toEqual({
      completion: { values: ['1', '2'], total: 7, hasMore: true },
    });
  });

  it.each([
    ['an argument', PROMPT, 'how'],
    ['a resource that is no template', { type: 'ref/resource', uri: 'desk://faq' }, 'id'],
  ])('gives no values for %s without completion (CORE-03)', async (_what, ref, name) => {
    expect(valuesOf(await complete({ ref, argument: { name, value: '' } }))).toEqual([]);
  });

  const argument = { name: 'who', value: '' };

  it.each<[string, Json, RegExp]>([
    ['no argument', { ref: PROMPT }, /"argument" must have/],
    ['an argument without a value', { ref: PROMPT, argument: { name: 'who' } }, /"argument" must have/],
    [
      'a value that is a number',
      { ref: PROMPT, argument: { name: 'who', value: 1 } },
      /"argument" must have/,
    ],
    ['no reference', { argument }, /"ref" must be/],
    ['a reference of another type', { ref: { type: 'ref/tool', name: 'x' }, argument }, /"ref" must be/],
    ['a reference without a name', { ref: { type: 'ref/prompt' }, argument }, /"ref" must be/],
    ['an unknown prompt', { ref: { ...PROMPT, name: 'gone' }, argument }, /unknown prompt "gone"/],
    ['an unknown argument', { ref: PROMPT, argument: { name: 'x', value: '' } }, /no argument "x"/],
    [
      'an unknown template',
      { ref: { ...TEMPLATE, uri: 'desk://gone' }, argument },
      /unknown resource template/,
    ],
    ['an unknown variable', { ref: TEMPLATE, argument }, /no variable "who"/],
    ['a context that is a text', { ref: PROMPT, argument, context: 'x' }, /"context" must be an object/],
    [
      'settled arguments by position',
      { ref: PROMPT, argument, context: { arguments: [] } },
      /"context.arguments"/,
    ],
  ])('answers %s with -32602 (CORE-01)', async (_what, params, says) => {
    await expect(complete(params)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(says),
    });
  });

  it.each([
    [{ total: null, hasMore: null }, {}],
    [
      { total: 0, hasMore: false },
      { total: 0, hasMore: false },
    ],
  ])('gives beside values what is known of the rest: %j (CORE-03)', async (gives, told) => {
    catalog.addCompletion({ prompt: 'greet', argument: 'how' }, () => ({ values: ['x'], ...gives }));
    const { completion } = await complete({ ref: PROMPT, argument: { name: 'how', value: '' } });
    expect(JSON.parse(JSON.stringify(completion))).toEqual({ values: ['x'], ...told });
  });

  it.each([
    [{ total: '150' }, 'The property "total" must be a non-negative integer'],
    [{ total: 1.5 }, 'The property "total" must be a non-negative integer'],
    [{ total: -1 }, 'The property "total" must be a non-negative integer'],
    [{ hasMore: 'yes' }, 'The property "hasMore" must be a boolean'],
  ])('refuses of a handler %j, which clients could not read (SAFE-04)', async (gives, says) => {
    catalog.addCompletion({ prompt: 'greet', argument: 'how' }, () => ({ values: ['x'], ...gives }));
    const answered = complete({ ref: PROMPT, argument: { name: 'how', value: '' } });
    await expect(answered).rejects.toThrow(new HandlerResultError(says));
  });

  it.each([undefined, 'one', 7, [1], { values: 'one' }, { total: 1 }])(
    'refuses of a handler %j, which are no values (SAFE-04)',
    async (gives) => {
      catalog.addCompletion({ prompt: 'greet', argument: 'how' }, () => gives);
      const answered = complete({ ref: PROMPT, argument: { name: 'how', value: '' } });
      await expect(answered).rejects.toThrow(HandlerResultError);
    },
  );
});
