import { beforeEach, describe, expect, it } from '@jest/globals';
import { PromptsGetMethod } from '../../../../lib/server/methods/prompts-get.method.js';
import { TestCatalog } from '../../support/catalog.js';
import { buildContext, type Json } from '../../support/requests.js';
import { buildLimits } from '../../support/limits.js';
import { buildSettings } from '../../support/settings.js';
import { InputRounds } from '../../../../lib/server/input-requests/input-rounds.js';

describe('prompts/get (MCP server/prompts)', () => {
  let catalog: TestCatalog;

  beforeEach(() => {
    catalog = new TestCatalog();
    catalog.entries.prompts.add(
      { name: 'greet', description: 'Greets', arguments: [{ name: 'who', required: true }, { name: 'how' }] },
      (args) => JSON.stringify(args),
    );
    catalog.entries.prompts.add(
      { name: 'strict', arguments: { type: 'object', properties: { day: { enum: ['mon', 'tue'] } } } },
      (args) => JSON.stringify(args),
    );
  });

  const get = async (params: Json) =>
    new PromptsGetMethod(catalog.prompts, new InputRounds(), buildSettings(), buildLimits()).handle(
      buildContext('prompts/get', { params }),
    );

  it('gives the messages and the description (CORE-03)', async () => {
    expect(await get({ name: 'greet', arguments: { who: 'you' } })).toEqual({
      description: 'Greets',
      messages: [{ role: 'user', content: { type: 'text', text: '{"who":"you"}' } }],
    });
  });

  it.each<[string, Json, RegExp]>([
    ['no name', {}, /"name" must be a string/],
    ['an unknown prompt', { name: 'gone' }, /unknown prompt "gone"/],
    ['the prototype', { name: '__proto__' }, /unknown prompt/],
    ['a required argument that is missing', { name: 'greet' }, /"who" is required/],
    [
      'a required argument of an ancestor',
      { name: 'greet', arguments: JSON.parse('{"__proto__":{"who":"x"}}') },
      /with string values/,
    ],
    ['an argument that is no text', { name: 'greet', arguments: { who: 7 } }, /with string values/],
    ['arguments by position', { name: 'greet', arguments: ['you'] }, /must be an object/],
    ['arguments null', { name: 'greet', arguments: null }, /must be an object/],
    ['an argument that its schema refuses', { name: 'strict', arguments: { day: 'sun' } }, /day/],
  ])('answers %s with -32602 (CORE-01)', async (_what, params, says) => {
    await expect(get(params)).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(says) });
  });

  it('passes on what its schema takes (MOD-07)', async () => {
    const result = await get({ name: 'strict', arguments: { day: 'mon' } });
    expect(result).toMatchObject({ messages: [{ content: { text: '{"day":"mon"}' } }] });
  });
});
