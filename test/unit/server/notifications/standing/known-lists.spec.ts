import { describe, expect, it } from '@jest/globals';
import { KnownLists } from '../../../../../lib/server/notifications/standing/known-lists.js';

describe('KnownLists', () => {
  const known = KnownLists.ofProcess('t1.p1.r1') as KnownLists;

  it('names the lists that differ (RELAY-16)', () => {
    expect(known.findChanged('t1.p1.r1')).toEqual([]);
    expect(known.findChanged('t2.p1.r2')).toEqual(['tools', 'resources']);
  });

  it('remembers what was told, list by list, and by whom (RELAY-16)', () => {
    const next = known.after('t2.p2.r1', ['tools'], 'b');
    expect(next.member).toBe('b');
    expect(next.findChanged('t2.p2.r1')).toEqual(['prompts']);
    expect(next.has('t1.p1.r1', ['tools', 'prompts'])).toBe(true);
    expect(next.has('t3.p1.r1', ['tools'])).toBe(false);
  });

  it('has the latest first, and each once (RELAY-16)', () => {
    const back = known.after('t2.p1.r1', ['tools'], 'b').after('t1.p1.r1', ['tools'], 'a');
    expect(back.format()).toBe('a t1,t2.p1.r1');
    expect(back.findChanged('t1.p1.r1')).toEqual([]);
  });

  it('forgets the oldest of many (RELAY-16)', () => {
    let last = known;
    for (let number = 2; number <= 9; number += 1) last = last.after(`t${number}.p1.r1`, ['tools'], 'a');
    expect(last.format()).toBe('a t9,t8,t7,t6.p1.r1');
  });

  it('reads what it wrote, and nothing else (RELAY-16)', () => {
    const written = known.after('t2.p1.r1', ['tools'], 'b').format();
    expect(KnownLists.parse(written)?.format()).toBe(written);
    for (const text of ['', 'a', 'a t1', 'a t1.p1', 'a t1.p1.r1.x', 'a t1..r1', 'a t1.p 1.r1', 'a ,.,.,']) {
      expect(KnownLists.parse(text)).toBeUndefined();
    }
  });
});
