import { describe, expect, it } from '@jest/globals';
import { buildContents, findMediaType } from '../../../../../lib/server/extensions/skills/media-types.js';

const URI = 'skill://refunds/file';
const WHOLE = 'sha256 of a text: ä\r\n';
const NO_TEXT = Buffer.from([0x61, 0xff]);

describe('buildContents', () => {
  it.each([
    ['a.md', 'text/markdown'],
    ['A.MD', 'text/markdown'],
    ['folder.png/a.csv', 'text/csv'],
    ['a.json', 'application/json'],
    ['a.svg', 'image/svg+xml'],
    ['a.xml', 'application/xml'],
    ['a.yml', 'application/yaml'],
    ['a.toml', 'application/toml'],
    ['a.sh', 'application/x-sh'],
    ['LICENSE', 'text/plain'],
    ['a.unknown', 'text/plain'],
    ['.profile', 'text/plain'],
  ])('gives "%s" as a text of the type %s (XTN-01)', (path, mimeType) => {
    expect(buildContents(URI, path, Buffer.from(WHOLE))).toEqual({ uri: URI, mimeType, text: WHOLE });
  });

  it.each([
    ['a.png', 'image/png'],
    ['a.pdf', 'application/pdf'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.wasm', 'application/wasm'],
  ])('gives "%s" as bytes of the type %s, even if they could be a text (XTN-01)', (path, mimeType) => {
    const blob = Buffer.from(WHOLE).toString('base64');
    expect(buildContents(URI, path, Buffer.from(WHOLE))).toEqual({ uri: URI, mimeType, blob });
  });

  it('gives what is no UTF-8 as bytes, so that they arrive as they are (XTN-01)', () => {
    const blob = NO_TEXT.toString('base64');
    expect(buildContents(URI, 'a.md', NO_TEXT)).toEqual({ uri: URI, mimeType: 'text/markdown', blob });
    const mimeType = 'application/octet-stream';
    expect(buildContents(URI, 'LICENSE', NO_TEXT)).toEqual({ uri: URI, mimeType, blob });
  });

  it('gives what has a zero byte as bytes, unless its name says that it is a text (XTN-01)', () => {
    const bytes = Buffer.from('a\0b');
    expect(buildContents(URI, 'program', bytes)).toMatchObject({ mimeType: 'application/octet-stream' });
    expect(buildContents(URI, 'a.txt', bytes)).toMatchObject({ mimeType: 'text/plain', text: 'a\0b' });
  });

  it('gives the bytes that are meant, of those that they are a part of (XTN-01)', () => {
    const part = Buffer.from('0123456789').subarray(2, 5);
    expect(buildContents(URI, 'a.txt', part)).toMatchObject({ text: '234' });
  });
});

describe('findMediaType', () => {
  it('says nothing of a name that says nothing (XTN-01)', () => {
    for (const name of ['LICENSE', '.md', 'a.unknown', 'a.md/b']) expect(findMediaType(name)).toBeUndefined();
  });
});
