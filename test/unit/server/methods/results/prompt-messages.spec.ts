import { describe, expect, it } from '@jest/globals';
import { buildPromptResult } from '../../../../../lib/server/methods/prompts-get.method.js';
import { HandlerResultError } from '../../../../../lib/server/methods/results/handler-result.js';

const TEXT = { type: 'text', text: 'hello' };
const IMAGE = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const user = (content: object) => ({ role: 'user', content });
const REPLY = { role: 'assistant', content: TEXT };

describe('buildPromptResult (MCP server/prompts)', () => {
  it.each<[string, unknown, object[]]>([
    ['text', 'hello', [user(TEXT)]],
    ['a block', IMAGE, [user(IMAGE)]],
    ['a message', REPLY, [REPLY]],
    ['texts and blocks', ['hello', IMAGE], [user(TEXT), user(IMAGE)]],
    ['messages', [user(TEXT), REPLY], [user(TEXT), REPLY]],
    ['a mixture', ['hello', REPLY, IMAGE], [user(TEXT), REPLY, user(IMAGE)]],
    ['no messages', [], []],
    ['a full result', { messages: [REPLY, 'hello'] }, [REPLY, user(TEXT)]],
  ])('makes messages of %s (CORE-03, MOD-01)', (_what, value, messages) => {
    expect(buildPromptResult(value)).toEqual({ messages });
  });

  it('describes itself as the handler does, else as the prompt does (CORE-03)', () => {
    expect(buildPromptResult('hello', 'Greets')).toEqual({ description: 'Greets', messages: [user(TEXT)] });
    expect(buildPromptResult({ messages: [] }, 'Greets')).toEqual({ description: 'Greets', messages: [] });
    expect(buildPromptResult({ description: 'Greets you', messages: [] }, 'Greets')).toEqual({
      description: 'Greets you',
      messages: [],
    });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object', { a: 1 }],
    ['a message of nobody', { role: 'system', content: TEXT }],
    ['a message without content', { role: 'user' }],
    ['a message of text that is no block', { role: 'user', content: 'hello' }],
    ['a list with a hole', ['hello', undefined]],
    ['a full result with a bad message', { messages: [7] }],
    ['messages that are no list', { messages: 'hello' }],
  ])('refuses %s, and says what it expects (SAFE-04)', (_what, value) => {
    expect(() => buildPromptResult(value)).toThrow(HandlerResultError);
    expect(() => buildPromptResult(value)).toThrow(/A prompt must return a string, content blocks/);
  });

  it.each<[string, unknown, string]>([
    [
      'a description that is a number',
      { messages: [], description: 5 },
      '"description" of the result must be a string',
    ],
    ['metadata that is a number', { messages: [], _meta: 1 }, '"_meta" of the result must be an object'],
    ['metadata that is null', { messages: [], _meta: null }, '"_meta" of the result must be an object'],
  ])('refuses %s, and says which member it is (SAFE-04)', (_what, value, says) => {
    expect(() => buildPromptResult(value, 'Greets')).toThrow(HandlerResultError);
    expect(() => buildPromptResult(value, 'Greets')).toThrow(says);
  });
});
