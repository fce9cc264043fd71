import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { HandlerResultError } from '../../../../../lib/server/methods/results/handler-result.js';
import { buildGivenResult, completeContent } from '../../../../../lib/server/methods/results/tool-result.js';

const TEXT = { type: 'text', text: 'hello' };
const IMAGE = { type: 'image', data: 'AA==', mimeType: 'image/png' };

const DONE = { type: 'text', text: 'Done' };
const FAILED = { type: 'text', text: 'The tool failed without giving a reason' };

const textOf = (value: unknown) => ({ type: 'text', text: JSON.stringify(value) });

function buildCircle(): object {
  const parent: Record<string, unknown> = {};
  parent['child'] = parent;
  return { parent };
}

const buildToolResult = (value: unknown, isStructured: boolean) =>
  completeContent(buildGivenResult(value, isStructured));

describe('The result of a tool (MCP server/tools)', () => {
  it.each<[string, unknown, object]>([
    ['nothing', undefined, { content: [DONE] }],
    ['null', null, { content: [{ type: 'text', text: 'null' }] }],
    ['text', 'hello', { content: [TEXT] }],
    ['the empty text', '', { content: [{ type: 'text', text: '' }] }],
    ['a number', 42, { content: [{ type: 'text', text: '42' }] }],
    ['a number that JSON does not have', Number.NaN, { content: [{ type: 'text', text: 'NaN' }] }],
    ['a boolean', false, { content: [{ type: 'text', text: 'false' }] }],
    ['a bigint', 42n, { content: [{ type: 'text', text: '42' }] }],
    ['a block', IMAGE, { content: [IMAGE] }],
    ['blocks', [TEXT, IMAGE], { content: [TEXT, IMAGE] }],
    ['an empty array', [], { content: [textOf([])], structuredContent: [] }],
    ['an object', { a: 1 }, { content: [textOf({ a: 1 })], structuredContent: { a: 1 } }],
    ['an array', [1, 2], { content: [textOf([1, 2])], structuredContent: [1, 2] }],
    [
      'a value of the application whose type is that of a block',
      { type: 'image', url: 'https://example.com/a.png' },
      {
        content: [textOf({ type: 'image', url: 'https://example.com/a.png' })],
        structuredContent: { type: 'image', url: 'https://example.com/a.png' },
      },
    ],
    ['a full result', { content: [TEXT], isError: true }, { content: [TEXT], isError: true }],
    ['an error without content', { isError: true }, { content: [FAILED], isError: true }],
    ['an error with empty content', { isError: true, content: [] }, { content: [FAILED], isError: true }],
    [
      'structured content alone',
      { structuredContent: { a: 1 } },
      { content: [textOf({ a: 1 })], structuredContent: { a: 1 } },
    ],
    [
      'structured content with content of its own',
      { content: [TEXT], structuredContent: { a: 1 } },
      { content: [TEXT], structuredContent: { a: 1 } },
    ],
    ['metadata', { content: [], _meta: { a: 1 } }, { content: [DONE], _meta: { a: 1 } }],
    [
      'structured content with empty content',
      { content: [], structuredContent: { a: 1 } },
      { content: [textOf({ a: 1 })], structuredContent: { a: 1 } },
    ],
    [
      'a page of a list that is called "content"',
      { content: [], total: 0 },
      { content: [textOf({ content: [], total: 0 })], structuredContent: { content: [], total: 0 } },
    ],
    [
      'a domain object with a member "content" that is no list',
      { content: 'text', id: 1 },
      { content: [textOf({ content: 'text', id: 1 })], structuredContent: { content: 'text', id: 1 } },
    ],
  ])('makes a result of %s (CORE-06, MOD-01) (CAT-03)', (_what, value, result) => {
    expect(buildToolResult(value, false)).toEqual(result);
  });

  it.each<[string, unknown]>([
    ['text', 'hello'],
    ['a number', 42],
    ['null', null],
    ['an array', [TEXT]],
    ['a block', TEXT],
    ['an object', { a: 1 }],
    ['an object with a list "content"', { content: ['a', 'b'], total: 2 }],
    ['an object with a mark "isError" that is off', { isError: false, count: 3 }],
  ])('takes %s of a tool with an output schema for its structured content (MOD-08)', (_what, value) => {
    expect(buildToolResult(value, true)).toEqual({ content: [textOf(value)], structuredContent: value });
  });

  it.each([
    ['structured content', { structuredContent: { a: 1 }, content: [TEXT] }],
    ['an error', { isError: true, content: [TEXT] }],
  ])('takes a full result with %s of such a tool for what it is (MOD-08)', (_what, value) => {
    expect(buildToolResult(value, true)).toEqual(value);
  });

  it('says that such a tool gave nothing (MOD-08) (CAT-03)', () => {
    expect(buildToolResult(undefined, true)).toEqual({ content: [DONE] });
  });

  it('keeps all of an object that only has a mark "isError" (CORE-05)', () => {
    const value = { isError: false, count: 3 };
    expect(buildToolResult(value, false)).toEqual({ content: [textOf(value)], structuredContent: value });
  });

  it('structures a value as JSON says it (MOD-08, VER-03)', () => {
    const day = new Date(0);
    const record = { id: 1, toJSON: () => ({ id: '1' }) };
    expect(buildToolResult(day, false)).toEqual({
      content: [{ type: 'text', text: '"1970-01-01T00:00:00.000Z"' }],
      structuredContent: '1970-01-01T00:00:00.000Z',
    });
    expect(buildToolResult(record, true)).toMatchObject({ structuredContent: { id: '1' } });
  });

  it.each<[string, unknown, RegExp]>([
    [
      'content that is no block',
      { content: [TEXT, { type: 'video' }] },
      /"content\[1\]" of the result is not a content block/,
    ],
    [
      'content that is no list',
      { structuredContent: 1, content: 'one' },
      /"content" must be an array of content blocks/,
    ],
    [
      'null for content',
      { structuredContent: 1, content: null },
      /"content" must be an array of content blocks/,
    ],
    ['null as content', { content: [null] }, /"content\[0\]"/],
    [
      'a mark of an error that is text',
      { content: [], isError: 'yes' },
      /"isError" of the result must be a boolean/,
    ],
    [
      'a mark of an error that is null',
      { content: [], isError: null },
      /"isError" of the result must be a boolean/,
    ],
    ['metadata that is text', { content: [], _meta: 'x' }, /"_meta" of the result must be an object/],
    ['metadata that is a list', { isError: true, _meta: [] }, /"_meta" of the result must be an object/],
    [
      'a resource whose media type is a number',
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: 'c', mimeType: 5 } }] },
      /"content\[0\]\.resource\.mimeType" of the result must be a string/,
    ],
    ['bytes', Buffer.from('a'), /cannot return bytes/],
    ['a function', () => 'secret', /A function cannot be sent/],
    ['a symbol', Symbol('secret'), /A symbol cannot be sent/],
    ['structured content that is a function', { structuredContent: () => 1 }, /A function cannot be sent/],
  ])('refuses %s, and says why (SAFE-04)', (_what, value, says) => {
    expect(() => buildToolResult(value, false)).toThrow(HandlerResultError);
    expect(() => buildToolResult(value, false)).toThrow(says);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'a map',
      () => new Map([['a', 1]]),
      /iterable such as this Map: return a plain object, an array or an Observable/,
    ],
    ['a set', () => new Set([1]), /such as this Set/],
    ['a generator', () => (function* () {})(), /such as this Generator/],
    ['an asynchronous generator', () => (async function* () {})(), /such as this AsyncGenerator/],
    ['an iterator', () => [1].values(), /such as this Array Iterator/],
    ['a stream', () => Readable.from(['a']), /such as this Object/],
  ])('refuses %s, of which JSON would tell nothing (CORE-06) (SAFE-04)', (_what, give, says) => {
    for (const isStructured of [false, true]) {
      expect(() => buildToolResult(give(), isStructured)).toThrow(HandlerResultError);
      expect(() => buildToolResult(give(), isStructured)).toThrow(says);
    }
  });

  it('structures what can be gone through and has members, or says itself what its JSON is (CORE-06)', () => {
    const basket = { size: 1, *[Symbol.iterator]() {} };
    expect(buildToolResult(basket, false)).toMatchObject({ content: [{ text: '{"size":1}' }] });
    const tags = Object.assign(new Set(['a']), { toJSON: () => ['a'] });
    expect(buildToolResult(tags, false)).toMatchObject({ structuredContent: ['a'] });
  });

  it.each<[string, unknown, string]>([
    ['a bigint', { rows: [{}, { id: 7n }] }, '"rows[1].id" of the result is a BigInt: return String(id)'],
    ['NaN', { mean: Number.NaN }, '"mean" of the result is NaN: return a number, null or a string'],
    ['Infinity', { rows: [null, { ratio: 1 / 0 }] }, '"rows[1].ratio" of the result is Infinity: return'],
    ['-Infinity', [-1 / 0], '"[0]" of the result is -Infinity: return'],
    [
      'a map',
      { byName: new Map([['a', 1]]) },
      '"byName" of the result is a Map: return Object.fromEntries(byName)',
    ],
    ['a set', [new Set([1])], '"[0]" of the result is a Set: return [...it]'],
    ['an error', { cause: new Error('secret') }, '"cause" of the result is an Error: return cause.message'],
    ['a promise', { user: Promise.resolve(1) }, '"user" of the result is a Promise: return await user'],
    [
      'bytes',
      { photo: new Uint8Array([1, 2]) },
      '"photo" of the result is a Uint8Array: return Buffer.from(photo).toString(\'base64\')',
    ],
    [
      'a buffer',
      { rows: [{ photo: Buffer.from('a') }] },
      '"rows[0].photo" of the result is a Buffer: return photo.toString(\'base64\')',
    ],
    [
      'a list of counts',
      { counts: new Float64Array([1.5]) },
      '"counts" of the result is a typed array: return Array.from(counts, Number)',
    ],
    [
      'the parameters of a URL',
      { query: new URLSearchParams('a=1') },
      '"query" of the result is a URLSearchParams: return Object.fromEntries(query)',
    ],
    [
      'headers',
      { sent: new Headers({ a: '1' }) },
      '"sent" of the result is a Headers: return Object.fromEntries(sent)',
    ],
    ['an iterator', { ids: new Map().keys() }, '"ids" of the result is an iterator: return [...ids]'],
    [
      'a circle',
      buildCircle(),
      '"parent.child" of the result is an object that contains itself: return its id',
    ],
  ])('names the member that is %s (SAFE-04)', (_what, value, says) => {
    for (const isStructured of [false, true]) {
      expect(() => buildToolResult(value, isStructured)).toThrow(HandlerResultError);
      expect(() => buildToolResult(value, isStructured)).toThrow(says);
    }
  });

  it('takes an object whose members are counted for what it is', () => {
    expect(buildToolResult({ seats: { 0: 'a' } }, false)).toMatchObject({
      structuredContent: { seats: { 0: 'a' } },
    });
  });

  it('takes an object without members for what it is', () => {
    expect(buildToolResult({ filter: {} }, false)).toMatchObject({ structuredContent: { filter: {} } });
  });

  it.each<[string, unknown]>([
    ['an ArrayBuffer', new ArrayBuffer(1)],
    ['a Blob', new Blob(['a'])],
    ['a Response', new Response('a')],
    ['a file', new StreamableFile(Buffer.from('a'))],
  ])('refuses %s, and says what a tool gives instead', (_what, value) => {
    expect(() => buildToolResult(value, false)).toThrow(
      /cannot return bytes: return an image, audio or resource block/,
    );
  });

  it('changes nothing of what a handler gave (CORE-05)', () => {
    const given = Object.freeze({ content: Object.freeze([TEXT]), isError: false });
    expect(buildToolResult(given, false)).toEqual(given);
  });
});
