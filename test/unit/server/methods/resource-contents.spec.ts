import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { buildReadResult, type ResourceFacts } from '../../../../lib/server/methods/resources-read.method.js';
import { HandlerResultError } from '../../../../lib/server/methods/results/handler-result.js';

const URI = 'desk://1';
const OCTETS = 'application/octet-stream';
const CONTENTS = { uri: URI, mimeType: 'text/plain', text: 'one' };
const BLOB = { uri: `${URI}/scan`, blob: 'AA==' };

function build(value: unknown, source: Partial<ResourceFacts> = {}) {
  const { signal } = new AbortController();
  return buildReadResult(value, { uri: URI, maxBytes: 100, getSignal: () => signal, ...source });
}

async function* generate(...chunks: unknown[]): AsyncGenerator {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe('buildReadResult (MCP server/resources)', () => {
  it.each<[string, () => unknown, string | undefined, object]>([
    ['an ArrayBuffer', () => Uint8Array.of(0, 255).buffer, undefined, { mimeType: OCTETS, blob: 'AP8=' }],
    ['a Blob', () => new Blob(['one']), undefined, { mimeType: OCTETS, blob: 'b25l' }],
    [
      'a Blob with a type',
      () => new Blob(['one'], { type: 'text/csv' }),
      undefined,
      { mimeType: 'text/csv', text: 'one' },
    ],
    [
      'a Response',
      () => Response.json({ a: 1 }),
      undefined,
      { mimeType: 'application/json', text: '{"a":1}' },
    ],
    ['a Response without a body', () => new Response(null), undefined, { mimeType: OCTETS, blob: '' }],
    [
      'a file',
      () => new StreamableFile(Buffer.from([0, 255])),
      undefined,
      { mimeType: OCTETS, blob: 'AP8=' },
    ],
    [
      'a file with a type',
      () => new StreamableFile(Buffer.from('one'), { type: 'image/png' }),
      undefined,
      { mimeType: 'image/png', blob: 'b25l' },
    ],
    [
      'a file of a resource with a type of its own',
      () => new StreamableFile(Readable.from(['one']), { type: 'image/png' }),
      'text/plain',
      { mimeType: 'text/plain', text: 'one' },
    ],
  ])('gives the bytes of %s (CORE-06)', async (_what, give, mimeType, contents) => {
    const result = await build(give(), { mimeType });
    expect(result).toEqual({ contents: [{ uri: URI, ...contents }] });
  });

  it.each<[string, () => unknown]>([
    ['a Blob', () => new Blob(['x'.repeat(101)])],
    ['a Response', () => new Response('x'.repeat(101))],
    ['a file', () => new StreamableFile(Readable.from(['x'.repeat(101)]))],
  ])('reads no more of %s than a resource may have (SAFE-04)', async (_what, give) => {
    await expect(build(give())).rejects.toThrow(/longer than 100 bytes/);
  });

  it('refuses the Response of a request that failed', async () => {
    await expect(build(new Response('secret', { status: 404 }))).rejects.toThrow(
      new HandlerResultError('The Response has status 404: return a successful one'),
    );
  });

  it('names the member that JSON cannot tell', async () => {
    await expect(build({ rows: [{ id: 7n }] })).rejects.toThrow(
      '"rows[0].id" of the result is a BigInt: return String(id)',
    );
    await expect(build({ names: new Set(['a']) })).rejects.toThrow(
      '"names" of the result is a Set: return [...names]',
    );
  });

  it.each<[string, unknown, string | undefined, object]>([
    ['text', 'one', undefined, { mimeType: 'text/plain', text: 'one' }],
    ['text of a media type', '# one', 'text/markdown', { mimeType: 'text/markdown', text: '# one' }],
    ['the empty text', '', undefined, { mimeType: 'text/plain', text: '' }],
    ['an object', { a: 1 }, undefined, { mimeType: 'application/json', text: '{"a":1}' }],
    ['an array', [1], undefined, { mimeType: 'application/json', text: '[1]' }],
    ['an empty array', [], undefined, { mimeType: 'application/json', text: '[]' }],
    ['a number', 7, undefined, { mimeType: 'application/json', text: '7' }],
    ['false', false, undefined, { mimeType: 'application/json', text: 'false' }],
    ['bytes', Buffer.from([0, 255]), undefined, { mimeType: 'application/octet-stream', blob: 'AP8=' }],
    ['an array of bytes', new Uint8Array([0, 255]), 'image/png', { mimeType: 'image/png', blob: 'AP8=' }],
    [
      'a part of a buffer',
      new Uint8Array(new Uint8Array([9, 0, 255, 9]).buffer, 1, 2),
      'image/png',
      { mimeType: 'image/png', blob: 'AP8=' },
    ],
    [
      'bytes that are text',
      Buffer.from('é'),
      'text/csv; charset=utf-8',
      { mimeType: 'text/csv; charset=utf-8', text: 'é' },
    ],
    [
      'bytes that are JSON',
      Buffer.from('{}'),
      'application/json',
      { mimeType: 'application/json', text: '{}' },
    ],
    ['bytes that are XML', Buffer.from('<a/>'), 'image/svg+xml', { mimeType: 'image/svg+xml', text: '<a/>' }],
    ['a stream of text', Readable.from(['o', 'ne']), 'text/plain', { mimeType: 'text/plain', text: 'one' }],
    [
      'a stream of bytes',
      Readable.from([Buffer.from([0]), Buffer.from([255])]),
      undefined,
      { mimeType: 'application/octet-stream', blob: 'AP8=' },
    ],
    [
      'an async generator',
      generate('o', Buffer.from('ne')),
      'text/plain',
      { mimeType: 'text/plain', text: 'one' },
    ],
    [
      'a web stream',
      Readable.toWeb(Readable.from(['one'])),
      'text/plain',
      { mimeType: 'text/plain', text: 'one' },
    ],
    [
      'a character whose bytes come in two chunks',
      generate(Buffer.from([0xc3]), Buffer.from([0xa9])),
      'text/plain',
      { mimeType: 'text/plain', text: 'é' },
    ],
  ])('makes contents of %s (CORE-06)', async (_what, value, mimeType, contents) => {
    expect(await build(value, { mimeType })).toEqual({ contents: [{ uri: URI, ...contents }] });
  });

  it.each<[string, unknown, readonly object[]]>([
    ['contents', CONTENTS, [CONTENTS]],
    ['several contents', [CONTENTS, BLOB], [CONTENTS, BLOB]],
    ['a full result', { contents: [CONTENTS, BLOB] }, [CONTENTS, BLOB]],
  ])('takes %s for what they are (CORE-06)', async (_what, value, contents) => {
    expect(await build(value)).toEqual({ contents });
  });

  it('keeps the metadata of a full result (CORE-03)', async () => {
    expect(await build({ contents: [CONTENTS], _meta: { a: 1 } })).toEqual({
      contents: [CONTENTS],
      _meta: { a: 1 },
    });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no contents', { contents: [] }],
  ])('finds no resource where a handler gives %s (CORE-03)', async (_what, value) => {
    expect(await build(value)).toBeUndefined();
  });

  it.each<[string, unknown, RegExp]>([
    [
      'contents without a URI',
      { contents: [CONTENTS, { text: 'a' }] },
      /"contents\[1\]\.uri" of the result is missing/,
    ],
    [
      'contents without text or bytes',
      { contents: [{ uri: URI }] },
      /"contents\[0\]\.text" of the result must be/,
    ],
    [
      'a media type that is a number',
      { contents: [CONTENTS, { ...CONTENTS, mimeType: 5 }] },
      /"contents\[1\]\.mimeType" of the result must be a string/,
    ],
    [
      'contents with such a media type',
      { ...CONTENTS, mimeType: 5 },
      /"mimeType" of the result must be a string/,
    ],
    [
      'a list of them',
      [BLOB, { ...BLOB, mimeType: null }],
      /"\[1\]\.mimeType" of the result must be a string/,
    ],
    ['metadata of contents that is text', { ...BLOB, _meta: 'x' }, /"_meta" of the result must be an object/],
    ['metadata that is text', { contents: [BLOB], _meta: 'x' }, /"_meta" of the result must be an object/],
    ['a function', () => 'secret', /A function cannot be sent/],
    ['a symbol', Symbol('secret'), /A symbol cannot be sent/],
    ['a Map', new Map([['a', 1]]), /A resource cannot return an iterable such as this Map: return a plain/],
    ['a stream of objects', Readable.from([{ a: 1 }]), /must produce strings or bytes/],
    ['a stream that is too long', Readable.from(['x'.repeat(60), 'x'.repeat(60)]), /longer than 100 bytes/],
  ])('refuses %s, and says why (SAFE-04)', async (_what, value, says) => {
    const built = build(value);
    await expect(built).rejects.toThrow(HandlerResultError);
    await expect(built).rejects.toThrow(says);
  });

  it.each([
    [
      'text/csv',
      Buffer.from('Müller;5', 'latin1'),
      { blob: Buffer.from('Müller;5', 'latin1').toString('base64') },
    ],
    ['text/csv', Buffer.from('Müller;5'), { text: 'Müller;5' }],
    ['text/csv; charset=ISO-8859-1', Buffer.from('Müller;5', 'latin1'), { text: 'Müller;5' }],
    ['text/plain;charset="utf-16le"', Buffer.from('hi', 'utf16le'), { text: 'hi' }],
    ['text/plain; charset=klingon', Buffer.from('hi'), { blob: 'aGk=' }],
  ])(
    'reads bytes of %s in their charset, and keeps those that are not in it (HOST-04)',
    async (mimeType, bytes, rest) => {
      expect(await build(bytes, { mimeType })).toEqual({ contents: [{ uri: URI, mimeType, ...rest }] });
    },
  );

  it('takes the bytes of contents in any form that has one meaning (HOST-04)', async () => {
    const png = Uint8Array.from([137, 80]);
    for (const blob of [png, png.buffer, 'data:image/png;base64,iVA=', 'iVA'])
      expect(await build({ contents: [{ uri: URI, blob }] })).toMatchObject({ contents: [{ blob: 'iVA=' }] });
    await expect(build({ uri: URI, blob: 'no base64!' })).rejects.toThrow('"blob" is not base64');
  });

  it('counts bytes, not characters (HTTP-08)', async () => {
    await expect(build(generate('é'.repeat(51)))).rejects.toThrow(/longer than 100 bytes/);
    await expect(build(generate('é'.repeat(50)), { mimeType: 'text/plain' })).resolves.toBeDefined();
  });

  it('ends a stream that it does not read to its end (SAFE-04)', async () => {
    const endless = new Readable({ read: (): void => void endless.push('x'.repeat(64)) });
    await expect(build(endless)).rejects.toThrow(/longer than/);
    expect(endless.destroyed).toBe(true);
  });

  it('passes on what a stream fails with (SAFE-04)', async () => {
    const failing = new Readable({ read: () => failing.destroy(new Error('disk on fire')) });
    await expect(build(failing)).rejects.toThrow('disk on fire');
  });

  it('ends a stream when the request is cancelled (CANC-01)', async () => {
    const silent = new Readable({ read: () => undefined });
    const abort = new AbortController();
    const built = build(silent, { getSignal: () => abort.signal });
    abort.abort();
    await expect(built).rejects.toThrow(/abort/i);
    expect(silent.destroyed).toBe(true);
  });

  it('reads no more of a generator when the request is cancelled, and lets it end (CANC-01)', async () => {
    const abort = new AbortController();
    const given: string[] = [];
    async function* count(): AsyncGenerator<string> {
      try {
        for (;;) yield await Promise.resolve(String(given.push('')));
      } finally {
        given.push('ended');
      }
    }
    const built = build(count(), { getSignal: () => abort.signal });
    abort.abort();
    await expect(built).rejects.toThrow(/abort/i);
    expect(given).toEqual(['', 'ended']);
  });

  it('ends a stream that comes after the cancellation (CANC-01)', async () => {
    const silent = new Readable({ read: () => undefined });
    await expect(build(silent, { getSignal: () => AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(silent.destroyed).toBe(true);
  });
});
