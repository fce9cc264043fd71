import { describe, expect, it } from '@jest/globals';
import { CursorError, formatCursor, parseCursor } from '../../../../lib/core/protocol/cursor.js';
import { HARD_CHARACTERS, Random } from './random.js';

const LISTS = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;

function isAccepted(cursor: string): boolean {
  try {
    parseCursor('prompts', cursor);
    return true;
  } catch (error) {
    if (error instanceof CursorError) return false;
    throw error;
  }
}

const encode = (text: string) => Buffer.from(text, 'latin1').toString('base64url');

describe('A list cursor (MCP server/utilities/pagination)', () => {
  it('comes back as the position it was made from (CORE-04)', () => {
    const random = new Random(1);
    for (let round = 0; round < 1000; round++) {
      const list = random.pick(LISTS);
      const after = random.below(2 ** random.below(32));
      expect(parseCursor(list, formatCursor(list, after))).toBe(after);
    }
    expect(parseCursor('tools', formatCursor('tools', Number.MAX_SAFE_INTEGER))).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });

  it('is opaque text that is safe in a URL (CORE-04)', () => {
    expect(formatCursor('resourceTemplates', 12_345)).toMatch(/^[\w-]+$/);
    expect(formatCursor('tools', 5)).not.toContain('tools');
  });

  it('is refused by every other list (CORE-04)', () => {
    for (const list of LISTS) {
      for (const other of LISTS.filter((name) => name !== list)) {
        expect(() => parseCursor(other, formatCursor(list, 20))).toThrow(CursorError);
      }
    }
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 20],
    ['an array', [formatCursor('tools', 20)]],
    ['the empty string', ''],
    ['another text', 'page-2'],
    ['padding', `${formatCursor('tools', 20)}=`],
    ['surrounding space', ` ${formatCursor('tools', 20)}`],
    ['characters that decoders skip', formatCursor('tools', 20).replace(/^./, '$&!')],
    ['the position written otherwise', encode('tools:020')],
    ['a signed position', encode('tools:+20')],
    ['a negative position', encode('tools:-20')],
    ['a fraction', encode('tools:20.5')],
    ['an exponent', encode('tools:2e1')],
    ['no position', encode('tools:')],
    ['infinity', encode('tools:Infinity')],
    ['a position beyond the safe numbers', encode('tools:9007199254740993')],
    ['text of any length', 'A'.repeat(100_000)],
  ])('is refused where it is %s (CORE-04)', (_form, cursor) => {
    expect(() => parseCursor('tools', cursor)).toThrow(CursorError);
  });

  it('is refused when a character is changed, unless that makes the cursor of another position (CORE-04)', () => {
    const random = new Random(2);
    const cursor = formatCursor('prompts', 4321);
    const positions = Array.from({ length: 10_000 }, (_, position) => formatCursor('prompts', position));
    for (let round = 0; round < 500; round++) {
      const at = random.below(cursor.length);
      const changed = cursor.slice(0, at) + random.pick(HARD_CHARACTERS) + cursor.slice(at + 1);
      expect(isAccepted(changed)).toBe(positions.includes(changed));
    }
  });

  it('says what to send instead (CORE-04)', () => {
    expect(() => parseCursor('tools', 'x')).toThrow(/"cursor" .* send "nextCursor" unchanged/);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 53])('is not made from the position %d (CORE-04)', (after) => {
    expect(() => formatCursor('tools', after)).toThrow(RangeError);
  });
});
