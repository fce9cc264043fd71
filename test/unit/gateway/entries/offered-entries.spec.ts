import { beforeEach, describe, expect, it } from '@jest/globals';
import { OfferedEntries } from '../../../../lib/gateway/entries/offered-entries.js';

describe('OfferedEntries', () => {
  let events: string[];
  let offered: OfferedEntries;

  const offer = (key: string, shown: unknown = {}, listedKey = key) => ({
    listedKey,
    key,
    shown,
    add: () => void events.push(`add ${key}`),
  });

  beforeEach(() => {
    events = [];
    const limits = { entries: 2, entryBytes: 60 };
    offered = new OfferedEntries('tool', limits, (key) => void events.push(`remove ${key}`));
  });

  it('changes nothing of what is the same, and replaces what differs (GATE-02)', () => {
    offered.replace([offer('a', { title: 'A' }), offer('b')]);
    events.length = 0;
    offered.replace([offer('a', { title: 'A' }), offer('b', { title: 'B' })]);
    expect(events).toEqual(['remove b', 'add b']);
  });

  it('replaces an entry that has another name at the server (GATE-02)', () => {
    offered.replace([offer('a', {}, 'one')]);
    offered.replace([offer('a', {}, 'two')]);
    expect(events).toEqual(['add a', 'remove a', 'add a']);
  });

  it('removes what is no longer listed, before it adds (GATE-02)', () => {
    offered.replace([offer('a'), offer('b')]);
    events.length = 0;
    offered.replace([offer('c'), offer('b')]);
    expect([events, offered.size, offered.has('a'), offered.has('c')]).toEqual([
      ['remove a', 'add c'],
      2,
      false,
      true,
    ]);
  });

  it.each<[string, readonly Parameters<typeof offer>[], object]>([
    [
      'a name that is listed twice',
      [['a'], ['a']],
      { key: 'a', reason: 'the server lists this name more than once' },
    ],
    [
      'more than it may list',
      [['a'], ['b'], ['c']],
      { key: 'c', reason: 'the server lists more than 2 entries of this kind' },
    ],
    ['an entry that is too large', [['a', { text: 'é'.repeat(25) }]], { key: 'a' }],
    ['a keyword of this package', [['a', { '~nestjs-mcp': 1 }]], { key: 'a' }],
  ])('refuses %s (GATE-02)', (_, offers, refused) => {
    offered.replace(offers.map((one) => offer(...one)));
    expect(offered.refused).toMatchObject([{ kind: 'tool', ...refused }]);
  });

  it('accepts an entry of exactly the maximum size (GATE-02)', () => {
    offered.replace([offer('a', { text: 'x'.repeat(49) })]);
    expect([offered.size, offered.refused]).toEqual([1, []]);
  });

  it('refuses what the catalog refuses, with its reason, and tries again with the next list (GATE-02)', () => {
    const fail = {
      ...offer('a'),
      add: () => {
        throw new Error('the name is taken');
      },
    };
    offered.replace([fail]);
    expect(offered.refused).toEqual([{ kind: 'tool', key: 'a', reason: 'the name is taken' }]);
    offered.replace([offer('a')]);
    expect([offered.refused, offered.size]).toEqual([[], 1]);
  });
});
