import { describe, expect, it } from '@jest/globals';
import { selectEntries } from '../../../../lib/gateway/entries/select-entries.js';

const LISTED = [{ name: 'read' }, { name: 'write' }, { name: 'toString' }];
const describeNamed = ({ name }: { readonly name: string }) => ({ key: name, name });

describe('selectEntries()', () => {
  const select = (selection: Parameters<typeof selectEntries<(typeof LISTED)[number], object>>[1]) =>
    selectEntries(LISTED, selection, describeNamed).map(({ listed, changes }) => [listed.name, changes]);

  it('selects all without changes by default (GATE-01)', () => {
    expect(select({})).toEqual([
      ['read', {}],
      ['write', {}],
      ['toString', {}],
    ]);
  });

  it('selects none with false (GATE-01)', () => {
    expect(select(false)).toEqual([]);
  });

  it('selects what is included and not excluded (GATE-01)', () => {
    expect(select({ include: ['read', 'write'], exclude: ['write'] })).toEqual([['read', {}]]);
    expect(select({ include: [] })).toEqual([]);
  });

  it('finds changes by name or by function (GATE-01)', () => {
    expect(select({ include: ['read'], change: { read: { title: 'R' } } })).toEqual([
      ['read', { title: 'R' }],
    ]);
    const change = ({ key }: { readonly key: string }) => (key === 'write' ? { title: 'W' } : undefined);
    expect(select({ exclude: ['toString'], change })).toEqual([
      ['read', {}],
      ['write', { title: 'W' }],
    ]);
  });
});
