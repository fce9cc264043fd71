import { describe, expect, it } from '@jest/globals';
import { KnownLists, listDigested } from '../../../../../lib/server/notifications/cluster/known-lists.js';

const FORMER = 't1.p1.r1';
const NEXT = 't2.p1.r2';

describe('KnownLists', () => {
  const known = KnownLists.parseHandshake(FORMER) as KnownLists;

  it('names the lists that differ, and that the client was not told of (RELAY-16)', () => {
    expect(known.findStale(FORMER, 'a')).toEqual([]);
    expect(known.findStale(NEXT, 'b')).toEqual([
      { list: 'tools', members: [''], wasSeen: false },
      { list: 'resources', members: [''], wasSeen: false },
      { list: 'resourceTemplates', members: [''], wasSeen: false },
    ]);
  });

  it('remembers what was told, list by list, and by whom (RELAY-16)', () => {
    const seen = known.after(NEXT, ['tools', 'resources'], { member: 'b' });
    expect(seen.findStale(NEXT, 'b').map(({ list }) => list)).toEqual(['resourceTemplates']);
    const back = seen.after(FORMER, ['resources'], { member: 'a' });
    expect(back.findStale(FORMER, 'a')).toEqual([{ list: 'tools', members: ['b'], wasSeen: true }]);
    expect(back.findStale(NEXT, 'b').slice(0, 1)).toEqual([
      { list: 'resources', members: ['a'], wasSeen: true },
    ]);
    expect(back.findStale('t3.p1.r1', 'c')).toEqual([{ list: 'tools', members: ['b'], wasSeen: false }]);
  });

  it('takes what the client has of a process for what that lists now (RELAY-16)', () => {
    const seen = known.after(NEXT, ['tools'], { member: 'b' });
    expect(seen.findStale('t3.p1.r1', 'b')).toEqual([]);
  });

  it('knows of each process whose pages a client has read since the first one (RELAY-16)', () => {
    const first = known.after(NEXT, ['tools'], { member: 'b' });
    const mixed = first.after(FORMER, ['tools'], { member: 'a', isPart: true });
    expect(mixed.findStale(NEXT, 'b')[0]).toEqual({ list: 'tools', members: ['a'], wasSeen: true });
    expect(mixed.findStale(FORMER, 'a')).toEqual([{ list: 'tools', members: ['b'], wasSeen: true }]);
    const other = mixed.after(NEXT, ['tools'], { member: 'c', isPart: true });
    expect(other.findStale(FORMER, 'a')).toEqual([{ list: 'tools', members: ['c'], wasSeen: true }]);
    const whole = other.after(NEXT, ['tools'], { member: 'b' });
    expect(whole.findStale(NEXT, 'b').map(({ list }) => list)).not.toContain('tools');
  });

  it('tells whether a list has been that of one release all the time (RELAY-16)', () => {
    const seen = known.after(NEXT, ['tools'], { member: 'b' });
    expect(known.hasOneVersion(FORMER, 'tools')).toBe(true);
    expect(known.hasOneVersion(NEXT, 'tools')).toBe(false);
    expect(seen.hasOneVersion(FORMER, 'tools')).toBe(false);
    expect(seen.hasOneVersion(NEXT, 'tools')).toBe(false);
    expect(seen.hasOneVersion(NEXT, 'prompts')).toBe(true);
  });

  it('is the same if nothing is new, and newer otherwise (RELAY-16)', () => {
    const seen = known.after(NEXT, ['tools'], { member: 'b' });
    expect(seen.format()).toBe('1 t2,t1/b:t2.p1/:p1.r1/:r1.r1/:r1');
    expect(seen.after(NEXT, ['tools'], { member: 'b' })).toBe(seen);
    const back = seen.after(FORMER, ['tools'], { member: 'a' });
    expect(back.format()).toBe('2 t2,t1/a:t1.p1/:p1.r1/:r1.r1/:r1');
  });

  it('forgets the oldest of many (RELAY-16)', () => {
    let last = known;
    for (let number = 2; number <= 9; number += 1) {
      last = last.after(`t${number}.p1.r1`, ['tools'], { member: 'a', isPart: true });
    }
    expect(last.format()).toBe('8 t9,t8,t7,t6/a:t9,a:t8,a:t7,a:t6.p1/:p1.r1/:r1.r1/:r1');
  });

  it('reads what it wrote, and nothing else (RELAY-16)', () => {
    const written = known
      .after(NEXT, ['tools'], { member: 'b' })
      .after(FORMER, ['tools'], { member: 'a1', isPart: true })
      .format();
    expect(KnownLists.parse(written)?.format()).toBe(written);
    const parts = 't1/a:t1.p1/a:p1.r1/a:r1';
    for (const text of [
      '',
      '1',
      'a t1.p1.r1',
      `1 ${parts}`,
      `x ${parts}.r1/a:r1`,
      `${parts}.r1/a:r1`,
      `1 ${parts}.r1/a:r1 more`,
      `1 ${parts}.r1/a:r1.x/a:x`,
      `1 ${parts}.r1`,
      `1 ${parts}.r1/`,
      `1 ${parts}./a:r1`,
      `1 ${parts}.r1/a`,
      `1 ${parts}.r1,/a:r1`,
      `1 ${parts}.r1/a:r1,`,
    ]) {
      expect(KnownLists.parse(text)).toBeUndefined();
    }
    expect(KnownLists.parse(`1 ${parts}.r1/a:r1`)).toBeDefined();
  });

  it('reads the digests of a session id, and nothing else (RELAY-16)', () => {
    expect(known.format()).toBe('0 t1/:t1.p1/:p1.r1/:r1.r1/:r1');
    for (const text of ['', 't1', 't1.p1', 't1.p1.r1.x', 't1..r1', 't1.p 1.r1', 't1,t2.p1.r1']) {
      expect(KnownLists.parseHandshake(text)).toBeUndefined();
    }
  });
});

describe('listDigested', () => {
  it('names the area of resources and of their templates once (RELAY-16)', () => {
    expect(listDigested(['tools', 'resources', 'resourceTemplates'])).toEqual(['tools', 'resources']);
    expect(listDigested(['resourceTemplates', 'prompts'])).toEqual(['resources', 'prompts']);
  });
});
