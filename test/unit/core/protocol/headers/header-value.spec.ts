import { describe, expect, it } from '@jest/globals';
import {
  formatHeaderValue,
  HeaderValueError,
  matchesHeaderValue,
  parseHeaderValue,
} from '../../../../../lib/core/protocol/headers/header-value.js';
import { growthOf, LINEAR } from '../growth.js';
import { HARD_CHARACTERS, Random } from '../random.js';

const sentinel = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('formatHeaderValue (MCP 2026-07-28, "Value Encoding")', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['us west 1', 'us west 1'],
    ['', ''],
    ['~!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}', '~!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}'],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['SGVsbG8=?=', 'SGVsbG8=?='],
    ['=?BASE64?SGVsbG8=?=', '=?BASE64?SGVsbG8=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    [' left', sentinel(' left')],
    ['right ', sentinel('right ')],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['a\tb', sentinel('a\tb')],
    ['\u007f', sentinel('\u007f')],
    ['=?base64?=', sentinel('=?base64?=')],
    [42, '42'],
    [-7, '-7'],
    [-0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [true, 'true'],
    [false, 'false'],
  ])('writes %j as %j (VER-04)', (value, header) => {
    expect(formatHeaderValue(value)).toBe(header);
  });

  it.each([1.5, Number.NaN, Infinity, 2 ** 53, 1e21, '\ud800', 'a\udc00b'])(
    'refuses %j (VER-04)',
    (value) => {
      expect(() => formatHeaderValue(value)).toThrow(HeaderValueError);
    },
  );

  it('writes what a header may carry and parseHeaderValue reads back unchanged (VER-04)', () => {
    const random = new Random(4);
    const pieces = [...HARD_CHARACTERS, '=?base64?', '?='];
    for (let round = 0; round < 3000; round++) {
      const value = random.text(pieces, 0, 8);
      const header = formatHeaderValue(value);
      expect(header).toMatch(/^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/);
      expect(parseHeaderValue(header)).toBe(value);
      expect(matchesHeaderValue(header, value)).toBe(true);
    }
  });
});

describe('parseHeaderValue (MCP 2026-07-28, "Value Encoding")', () => {
  it.each([
    ['=?base64?SGVsbG8=?=', 'Hello'],
    ['=?base64??=', ''],
    ['\t =?base64?SGVsbG8=?= \t', 'Hello'],
    ['=?base64?77u/QQ==?=', '\ufeffA'],
    ['  get_weather  ', 'get_weather'],
    ['in\tside', 'in\tside'],
    ['', ''],
    [' \t', ''],
    ['SGVsbG8=', 'SGVsbG8='],
    ['=?base64?SGVsbG8=', '=?base64?SGVsbG8='],
    ['SGVsbG8=?=', 'SGVsbG8=?='],
    ['=?Base64?SGVsbG8=?=', '=?Base64?SGVsbG8=?='],
    ['=?base64?=', '=?base64?='],
  ])('reads %j as %j (VER-04)', (header, text) => {
    expect(parseHeaderValue(header)).toBe(text);
  });

  it.each([
    ['no padding', '=?base64?SGVsbG8?='],
    ['too much padding', '=?base64?SGVsbG8==?='],
    ['padding alone', '=?base64?====?='],
    ['characters outside of the alphabet', '=?base64?SGVs!!!bG8=?='],
    ['the URL alphabet', '=?base64?-_-_?='],
    ['white space', '=?base64?SGVs bG8=?='],
    ['one character too many', '=?base64?SGVsbG8=A?='],
    ['bits that padding hides', '=?base64?SGVsbG9=?='],
    ['a byte that UTF-8 does not have', '=?base64?/w==?='],
    ['an overlong form', '=?base64?wK8=?='],
    ['an encoded surrogate', '=?base64?7aCA?='],
    ['a cut character', '=?base64?5LiW5w==?='],
  ])('refuses base64 with %s (VER-04)', (_fault, header) => {
    expect(() => parseHeaderValue(header)).toThrow(HeaderValueError);
    expect(matchesHeaderValue(header, 'Hello')).toBe(false);
  });

  it.each(['caf\u00e9', '\u0000', 'a\nb', 'a\rb', '\u007f', '世', 'a\u00a0'])(
    'refuses the plain header %j (VER-04)',
    (header) => {
      expect(() => parseHeaderValue(header)).toThrow(/send it as "=\?base64\?…\?="/);
    },
  );

  it('tells no caller what the header holds (VER-04)', () => {
    for (const header of ['=?base64?secret!?=', 'secret\u00e9']) {
      expect(() => parseHeaderValue(header)).toThrow(/^(?!.*secret)/);
    }
  });

  it.each([' ', '\t', 'a ', '=', '=?base64?', '?=', 'A', 'é'])(
    'takes linear time when the header repeats %j (VER-04)',
    (piece) => {
      const wrap = (size: number) => `=?base64?${piece.repeat(size)}?=`;
      const growth = growthOf(64_000, (size) => [
        matchesHeaderValue(piece.repeat(size), 'x'),
        matchesHeaderValue(`x${piece.repeat(size)}x`, 'x'),
        matchesHeaderValue(wrap(size), 'x'),
      ]);
      expect(growth).toBeLessThan(LINEAR);
    },
  );
});

describe('matchesHeaderValue (MCP 2026-07-28, "Server Validation")', () => {
  it.each([
    ['42', 42],
    ['42.0', 42],
    ['42.', 42],
    ['042', 42],
    [' 42 ', 42],
    ['-7.00', -7],
    ['-0', 0],
    ['=?base64?NDI=?=', 42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['3.5', 3.5],
    ['true', true],
    [' false\t', false],
    ['Hello', 'Hello'],
    ['=?base64?SGVsbG8=?=', 'Hello'],
    ['', ''],
    ['=?base64??=', ''],
  ])('takes %j for %j (VER-04)', (header, value) => {
    expect(matchesHeaderValue(header, value)).toBe(true);
  });

  it.each([
    ['', 0],
    ['43', 42],
    ['42.5', 42],
    ['42.00000000000000000001', 42],
    ['0x2a', 42],
    ['4.2e1', 42],
    ['+42', 42],
    ['4 2', 42],
    ['9007199254740991.4', Number.MAX_SAFE_INTEGER],
    ['9007199254740993', 2 ** 53],
    ['NaN', 7],
    ['True', true],
    ['1', true],
    ['', false],
    ['hello', 'Hello'],
    ['42.0', '42'],
    ['SGVsbG8=', 'Hello'],
    ['Hello x', 'Hello'],
  ])('does not take %j for %j (VER-04)', (header, value) => {
    expect(matchesHeaderValue(header, value)).toBe(false);
  });
});
