import { ClassSerializerInterceptor, StreamableFile } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import {
  findSerializedPart,
  isSerializer,
} from '../../../../../lib/server/catalog/invocation/interceptors.js';

const text = { type: 'text', text: 'hello' };
const image = { type: 'image', data: new Uint8Array(2), mimeType: 'image/png' };
const contents = { uri: 'desk://a', text: 'hello' };
const bytes = { uri: 'desk://a', blob: new Uint8Array(2) };
const message = { role: 'user', content: text };

/** An instance of the application whose members are those of a block. */
class Attachment {
  readonly type = 'text';
  readonly text = 'hello';
}

describe('findSerializedPart()', () => {
  it.each<[string, unknown]>([
    ['tools/call', text],
    ['tools/call', image],
    ['tools/call', [text, image, { type: 'resource', resource: bytes }]],
    ['tools/call', { content: [text], isError: false, _meta: {} }],
    ['tools/call', { content: [] }],
    ['tools/call', { isError: true }],
    ['resources/read', contents],
    ['resources/read', [contents, bytes]],
    ['resources/read', { contents: [bytes], _meta: {} }],
    ['resources/read', new Uint8Array(2)],
    ['resources/read', new ArrayBuffer(2)],
    ['resources/read', new Blob(['a'])],
    ['resources/read', new Response('a')],
    ['resources/read', new StreamableFile(new Uint8Array(2))],
    ['resources/read', (async function* () {})()],
    ['prompts/get', 'hello'],
    ['prompts/get', { messages: ['hello', message], description: 'A greeting' }],
    ['prompts/get', [message]],
    ['completion/complete', { values: ['a'] }],
  ])('leaves what is the protocol’s to itself: %s, %p (APP-01)', (method, result) => {
    expect(findSerializedPart(result, method)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['tools/call', new Attachment()],
    ['tools/call', [text, new Attachment()]],
    ['tools/call', { ...text, secret: 'hidden' }],
    ['tools/call', contents],
    ['tools/call', [contents]],
    ['tools/call', { content: [text], total: 1 }],
    ['tools/call', { content: [{ id: 7 }] }],
    ['tools/call', { isError: true, account: {} }],
    ['tools/call', []],
    ['tools/call', { contents: [contents] }],
    ['resources/read', { ...contents, secret: 'hidden' }],
    ['resources/read', text],
    ['prompts/get', { messages: [message], account: {} }],
  ])('has values of the application serialized: %s, %p (APP-01)', (method, result) => {
    const part = findSerializedPart(result, method);
    expect(part?.value).toBe(result);
    expect(part?.complete('serialized')).toBe('serialized');
  });

  it('has structured content serialized, and what is around it kept (APP-01)', () => {
    const result = { structuredContent: { id: 7 }, content: [text], _meta: { a: 1 } };
    const part = findSerializedPart(result, 'tools/call');
    expect(part?.value).toBe(result.structuredContent);
    expect(part?.complete({ id: 8 })).toEqual({ ...result, structuredContent: { id: 8 } });
  });
});

describe('isSerializer()', () => {
  class Own extends ClassSerializerInterceptor {}
  const Copy = class ZodSerializerInterceptor {};
  class OfCopy extends Copy {}
  class Other {}

  it('knows serializers by their class, its parents and their names (APP-01)', () => {
    const reflector = {};
    const serializers = [ClassSerializerInterceptor, Own, new Own(reflector), Copy, new Copy(), new OfCopy()];
    expect(serializers.map(isSerializer)).toEqual(serializers.map(() => true));
    const others = [
      Other,
      new Other(),
      {},
      undefined,
      null,
      'ClassSerializerInterceptor',
      Object.create(null),
    ];
    expect(others.map(isSerializer)).toEqual(others.map(() => false));
  });
});
