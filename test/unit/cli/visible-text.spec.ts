import { describe, expect, it } from '@jest/globals';
import { formatResult } from '../../../cli/call/format-result.js';
import { formatVisibleJson, makeVisible } from '../../../cli/visible-text.js';

/** An escape of 7 bits and one of 8, "delete", and what turns the direction of text. */
const OBEYED = ['\u001b', '\u009b', '\u007f', '\u061c', '\u200e', '\u202e', '\u2066', '\u2069'];

describe('formatVisibleJson', () => {
  it.each(OBEYED)('escapes %j, which stays what it was (CLI-20)', (character) => {
    const value = { [`name${character}`]: [`text${character}`] };
    const json = formatVisibleJson(value);
    expect(json).not.toContain(character);
    expect(json).toContain(`\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
    expect(JSON.parse(json)).toEqual(value);
  });

  it('leaves all else as JSON has it, over several lines (CLI-20)', () => {
    const value = { price: '5 €\n\t', tags: ['ä', '\u{1f600}'] };
    expect(formatVisibleJson(value)).toBe(JSON.stringify(value, undefined, 2));
  });
});

describe('makeVisible', () => {
  it.each(OBEYED)('shows %j as a character that is unknown (CLI-20)', (character) => {
    expect(makeVisible(`a${character}b\n\tc`)).toBe('a\u{fffd}b\n\tc');
  });
});

describe('formatResult (tools/call)', () => {
  it('shows structured content without what a terminal obeys (CLI-20)', () => {
    const structuredContent = { note: OBEYED.join('') };
    const text = formatResult({ content: [], structuredContent });
    expect(JSON.parse(text)).toEqual(structuredContent);
    expect(OBEYED.filter((character) => text.includes(character))).toEqual([]);
  });
});
