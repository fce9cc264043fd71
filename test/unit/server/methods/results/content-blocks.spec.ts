import { describe, expect, it } from '@jest/globals';
import {
  isMeantAsBlock,
  parseBlock,
  parseBlocks,
} from '../../../../../lib/server/methods/results/content-blocks.js';
import { HandlerResultError } from '../../../../../lib/server/methods/results/handler-result.js';

const BYTES = Uint8Array.from([137, 80, 78, 71, 251, 255]);
const DATA = 'iVBOR/v/';
const IMAGE = { type: 'image', data: DATA, mimeType: 'image/png' };
const LINK = { type: 'resource_link', uri: 'a:b', name: 'b' };

describe('takeBlocks', () => {
  it('takes what is right as it is, without a copy (HOST-04)', () => {
    const texts = [{ type: 'text', text: 'a' }];
    expect(parseBlocks(texts, 'content')).toBe(texts);
    const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T10:00:00+02:00' };
    const blocks = [IMAGE, { type: 'text', text: 'a', annotations, _meta: {} }, { ...LINK, size: 3 }];
    expect(parseBlocks(blocks, 'content')).toEqual(blocks);
  });

  it.each<[string, unknown]>([
    ['a data URL', `data:image/png;base64,${DATA}`],
    ['base64url', 'iVBOR_v_'],
    ['lines of base64', 'iVBO\r\nR/v/\n'],
    ['a Buffer', Buffer.from(BYTES)],
    ['a Uint8Array', BYTES],
    ['an ArrayBuffer', BYTES.buffer],
    ['a DataView', new DataView(BYTES.buffer)],
  ])('writes %s in base64 (HOST-04)', (_what, data) => {
    expect(parseBlock({ ...IMAGE, data }, '')).toEqual(IMAGE);
  });

  it.each([
    ['AA', 'AA=='],
    ['AAA', 'AAA='],
    ['', ''],
    ['data:text/plain,%C3%BC', 'w7w='],
  ])('pads and decodes %j (HOST-04)', (data, written) => {
    expect(parseBlock({ ...IMAGE, data }, '')).toEqual({ ...IMAGE, data: written });
  });

  it('takes the media type from a data URL that has one (HOST-04)', () => {
    expect(parseBlock({ type: 'image', data: `data:image/png;base64,${DATA}` }, '')).toEqual(IMAGE);
    const svg = { ...IMAGE, mimeType: 'image/svg+xml', data: `data:image/png;base64,${DATA}` };
    expect(parseBlock(svg, '')).toMatchObject({ mimeType: 'image/svg+xml' });
  });

  it.each<[string, unknown, string]>([
    [
      'data that is not base64',
      { ...IMAGE, data: 'hällo' },
      '"content[0].data" is not base64: use Buffer.from',
    ],
    ['base64 that is cut', { ...IMAGE, data: 'AAAAA' }, '"content[0].data" is not base64'],
    ['data that is a number', { ...IMAGE, data: 5 }, '"content[0].data" must be bytes in base64'],
    ['a data URL that is cut', { ...IMAGE, data: 'data:image/png' }, '"content[0].data" is not base64'],
    [
      'no media type',
      { type: 'image', data: DATA },
      '"content[0].mimeType" of the result is missing: provide a string such as "image/png"',
    ],
    [
      'a media type in another spelling',
      { type: 'audio', data: DATA, mime_type: 'audio/wav' },
      'use "mimeType" instead of "mime_type"',
    ],
    ['no data', { type: 'image', mimeType: 'image/png' }, '"content[0].data" of the result is missing'],
    [
      'a type in another spelling',
      { type: 'resourceLink', uri: 'a:b', name: 'b' },
      '"content[0].type" of the result is "resourceLink": use "resource_link"',
    ],
    ['a type in capitals', { type: 'Text', text: 'a' }, 'is "Text": use "text"'],
    [
      'a text that is a number',
      { type: 'text', text: 5 },
      '"content[0].text" of the result must be a string',
    ],
    [
      'a link without a name',
      { type: 'resource_link', uri: 'a:b' },
      '"content[0].name" of the result is missing',
    ],
    [
      'a link of a size in words',
      { ...LINK, size: '3 kB' },
      '"content[0].size" of the result must be a number',
    ],
    [
      'a resource without contents',
      { type: 'resource', resource: { uri: 'a:b' } },
      '"content[0].resource.text" of the result',
    ],
    [
      'a blob that is not base64',
      { type: 'resource', resource: { uri: 'a:b', blob: '!' } },
      '"content[0].resource.blob" is not base64',
    ],
    [
      'another audience',
      { ...LINK, annotations: { audience: ['model'] } },
      '"content[0].annotations.audience" of the result must be',
    ],
    [
      'a priority above 1',
      { ...LINK, annotations: { priority: 5 } },
      '"content[0].annotations.priority" of the result must be a number from 0 to 1',
    ],
    [
      'a day for a time',
      { ...LINK, annotations: { lastModified: '2026-07-28' } },
      '"content[0].annotations.lastModified" of the result',
    ],
    ['metadata that is text', { ...LINK, _meta: 'x' }, '"content[0]._meta" of the result must be an object'],
    ['a number', 5, '"content[0]" of the result is not a content block'],
    ['another type', { type: 'video', data: DATA }, '"content[0]" of the result is not a content block'],
  ])('refuses %s by name (HOST-04)', (_what, block, says) => {
    expect(() => parseBlocks([block], 'content')).toThrow(HandlerResultError);
    expect(() => parseBlocks([block], 'content')).toThrow(says);
  });

  it('judges long data in a time that grows with its length alone (HOST-04)', () => {
    const long = 'A'.repeat(4_000_000);
    expect(parseBlock({ ...IMAGE, data: `${long}AAA` }, '')).toMatchObject({ data: `${long}AAA=` });
    expect(() => parseBlock({ ...IMAGE, data: `${long}!` }, '')).toThrow('is not base64');
  });
});

describe('isMeantAsBlock', () => {
  it.each([
    [{ type: 'text', text: 'a' }, true],
    [{ type: 'image', data: DATA }, true],
    [{ type: 'Image', mime_type: 'image/png' }, true],
    [{ type: 'resource-link', uri: 'a:b' }, true],
    [{ type: 'text', body: 'a' }, false],
    [{ type: 'image', url: 'https://example.com/a.png' }, false],
    [{ type: 'resource', id: 5 }, false],
    [{ type: 'video', data: DATA }, false],
    [{ text: 'a' }, false],
    [null, false],
  ])('tells of %j: %p (HOST-04)', (value, isMeant) => {
    expect(isMeantAsBlock(value)).toBe(isMeant);
  });
});
