import { describe, expect, it } from '@jest/globals';
import { escapeText } from '../../../../lib/core/log/escape-text.js';

describe('escapeText', () => {
  it.each([
    '\u001b',
    '\u0000',
    '\u007f',
    '\u009b',
    '\u061c',
    '\u200e',
    '\u202e',
    '\u2028',
    '\u2069',
    '\ud800',
  ])('escapes what moves a cursor, ends a line or turns the direction: %j', (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    expect(escapeText(`a${character}b`)).toBe(`a\\u${code}b`);
  });

  it('escapes the control characters of Unicode, those of its lines and directions, and halves of characters', () => {
    const unsafe = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Surrogate}]/u;
    const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    expect(characters.filter((one) => escapeText(one) !== one)).toEqual(
      characters.filter((one) => unsafe.test(one)),
    );
  });

  it('keeps a text on one line that can still be read', () => {
    expect(escapeText('a\r\nb')).toBe('a\\r\\nb');
  });

  it('leaves other text as it is', () => {
    expect(escapeText('größer 数 😀 "x"')).toBe('größer 数 😀 "x"');
  });

  it('cuts what is long', () => {
    expect(escapeText('abcdef', 3)).toBe('abc…');
  });
});
