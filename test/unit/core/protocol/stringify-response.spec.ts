import { describe, expect, it } from '@jest/globals';
import { stringifyResponse } from '../../../../lib/core/protocol/outbound-message.js';

const text = (given: string): object => ({ type: 'text', text: given });

class Told {
  readonly type = 'text';
  readonly text = 'own';

  toJSON(): object {
    return { type: 'text', text: 'told' };
  }
}

describe('stringifyResponse', () => {
  it.each<[string, object]>([
    ['a text', { content: [text('hello')] }],
    ['a text that has to be escaped', { content: [text('"\\\n\u2028\u0000 größer 😀 \ud800')] }],
    ['no text', { content: [text('')] }],
    ['several texts', { content: [text('a'), text('b')] }],
    ['no content', { content: [] }],
    ['a text of another order', { content: [{ text: 'a', type: 'text' }] }],
    ['an annotated text', { content: [{ ...text('a'), annotations: { priority: 1 } }] }],
    ['a text with a member that is not written', { content: [{ ...text('a'), _meta: undefined }] }],
    ['a text that says itself what it is', { content: [new Told()] }],
    ['a text that is inherited', { content: [Object.create(text('a'))] }],
    ['a text in an object of no prototype', { content: [Object.assign(Object.create(null), text('a'))] }],
    ['content that says itself what it is', { content: Object.assign([text('a')], { toJSON: () => 'b' }) }],
    ['an image', { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }],
    ['an error', { content: [text('a')], isError: true }],
    ['structured content', { content: [text('{}')], structuredContent: {} }],
    ['a sealed result', { content: [text('a')], resultType: 'complete', _meta: {} }],
    ['a result with a member that is not written', { content: [text('a')], isError: undefined }],
    ['a result that says itself what it is', { content: [text('a')], toJSON: () => ({ told: true }) }],
    ['content that is none', { content: 'text' }],
    ['nothing', {}],
  ])('writes %s as JSON.stringify does', (_what, result) => {
    for (const id of [7, 'a"b', 1e21]) {
      expect(stringifyResponse(id, result)).toBe(JSON.stringify({ jsonrpc: '2.0', id, result }));
    }
  });
});
