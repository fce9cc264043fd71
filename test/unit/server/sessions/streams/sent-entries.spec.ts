import { describe, expect, it } from '@jest/globals';
import { SentEntries } from '../../../../../lib/server/sessions/streams/sent-entries.js';
import { formatCursor, parseCursor } from '../../../../../lib/server/sessions/streams/stream-cursor.js';

const name = (count: number, member = 'one') => ({ member, count });

/** Notes entries as given. */
function give(...names: readonly { readonly member: string; readonly count: number }[]): SentEntries {
  const given = new SentEntries();
  for (const one of names) given.add(one);
  return given;
}

describe('SentEntries', () => {
  it('knows each entry by its process and its number, and nothing between them (RELAY-03)', () => {
    const given = give(name(3), name(4), name(7), name(4, 'two'));
    expect(given.format()).toBe('~one:3+1,7+0~two:4+0');
    expect([3, 4, 5, 6, 7, 8].map((count) => given.pass(name(count)))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(given.format()).toBe('~two:4+0');
  });

  it('forgets with an entry what its process published before (RELAY-03)', () => {
    const given = give(...[1, 2, 3, 5].map((count) => name(count)), name(1, 'two'));
    expect(given.pass(name(2))).toBe(true);
    expect(given.format()).toBe('~one:3+0,5+0~two:1+0');
    expect(given.pass(name(1))).toBe(false);
    expect(given.pass(name(9))).toBe(false);
    expect(given.format()).toBe('~two:1+0');
  });

  it('is short in an event id, however much was given: what is old counts as one range (RELAY-07)', () => {
    const given = give(...Array.from({ length: 100 }, (_, index) => name(2 * index + 1)));
    const text = given.format();
    expect(text.split(',')).toHaveLength(32);
    expect(text).toMatch(/^~one:1\+136,139\+0,/);
    expect(SentEntries.parse(text)?.format()).toBe(text);
    expect(given.pass(name(4))).toBe(false);
  });

  it('remembers a bounded number of entries and processes (RELAY-07)', () => {
    const given = give(...Array.from({ length: 2001 }, (_, index) => name(2 * index + 1)));
    expect([given.pass(name(1)), given.pass(name(3))]).toEqual([false, true]);
    const many = give(...Array.from({ length: 9 }, (_, index) => name(1, `m${index}`)));
    expect(many.format()).toBe(Array.from({ length: 8 }, (_, index) => `~m${index + 1}:1+0`).join(''));
  });
});

describe('The id of an event of a standing stream', () => {
  it.each(['log:7', 'log:7~one:3+1,7+0~two:4+0'])('is read as it was written: %s (RELAY-03)', (id) => {
    expect(formatCursor(parseCursor(id)!)).toBe(id);
  });

  it.each([
    'log:7~',
    'log:7~one',
    'log:7~one:3',
    'log:7~one:3+1,',
    'log:7~ONE:3+1',
    'log:-7~one:3+1',
    'log:7~one:3+1~',
    '~one:3+1',
    `log:7~one:${Array.from({ length: 33 }, () => '1+0').join()}`,
    `log:7${'~one:3+1'.repeat(9)}`,
    `log:7~one:${'1'.repeat(16)}+1`,
  ])('is none if it is not whole: %s', (id) => {
    expect(parseCursor(id)).toBeUndefined();
  });
});
