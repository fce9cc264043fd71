import { beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogError } from '../../../../lib/server/catalog/catalog.error.js';
import { Registry, type Entry } from '../../../../lib/server/catalog/registry.js';

interface Letter extends Entry {
  readonly text: string;
}

class LetterRegistry extends Registry<Letter> {
  readonly kind = 'letter';
}

describe('A registry', () => {
  let letters: LetterRegistry;
  const keys = () => letters.list().map(({ key }) => key);

  beforeEach(() => {
    letters = new LetterRegistry();
    for (const key of ['a', 'b', 'c', 'd', 'e']) letters.add({ key, text: key });
  });

  it('finds an entry by its key', () => {
    expect(letters.find('b')).toMatchObject({ key: 'b', text: 'b' });
    expect(letters.find('z')).toBeUndefined();
    expect(letters.size).toBe(5);
  });

  it('keeps the order in which entries were added (CORE-04)', () => {
    letters.replace({ key: 'b', text: 'B' });
    letters.remove('c');
    letters.add({ key: 'c', text: 'again' });
    expect(keys()).toEqual(['a', 'b', 'd', 'e', 'c']);
    expect(letters.find('b')).toMatchObject({ text: 'B', sequence: 2 });
    expect(letters.find('c')).toMatchObject({ sequence: 6 });
  });

  it('refuses a key that is taken (CORE-08)', () => {
    expect(() => letters.add({ key: 'a', text: 'other' })).toThrow(
      new CatalogError(
        'The letter "a" already exists: choose a different one, or remove the existing one first',
      ),
    );
    expect(letters.find('a')).toMatchObject({ text: 'a' });
  });

  it('refuses to change what is not there (MOD-06)', () => {
    expect(() => letters.replace({ key: 'z', text: 'z' })).toThrow('There is no letter "z": add it first');
  });

  it('tells whether there was something to remove (MOD-06)', () => {
    expect(letters.remove('a')).toBe(true);
    expect(letters.remove('a')).toBe(false);
  });

  it('has a version that grows and an event, once for each change (MOD-06)', () => {
    let changes = 0;
    letters.changes$.subscribe(() => (changes += 1));
    const before = letters.version;
    letters.add({ key: 'f', text: 'f' });
    letters.replace({ key: 'f', text: 'F' });
    letters.remove('f');
    letters.remove('f');
    expect(changes).toBe(3);
    expect(letters.version).toBe(before + 3);
  });

  it('shows a subscriber the state after the change (MOD-06)', () => {
    const seen: number[] = [];
    letters.changes$.subscribe(() => seen.push(letters.list().length));
    letters.add({ key: 'f', text: 'f' });
    letters.remove('a');
    expect(seen).toEqual([6, 5]);
  });

  it('gives the same frozen list until it changes', () => {
    const list = letters.list();
    expect(letters.list()).toBe(list);
    expect(Object.isFrozen(list)).toBe(true);
    letters.remove('a');
    expect(letters.list()).not.toBe(list);
  });
});

describe('A page of a registry', () => {
  const letters = new LetterRegistry();
  for (const key of 'abcde') letters.add({ key, text: key });

  const readAll = (size: number, onPage: (pages: number) => void = () => undefined) => {
    const pages: string[] = [];
    let after: number | undefined = 0;
    while (after !== undefined) {
      const { entries, next } = letters.page(after, size);
      pages.push(entries.map(({ key }) => key).join(''));
      onPage(pages.length);
      after = next;
    }
    return pages;
  };

  it.each([
    [1, ['a', 'b', 'c', 'd', 'e']],
    [2, ['ab', 'cd', 'e']],
    [5, ['abcde']],
    [9, ['abcde']],
  ])('of %i entries leads to the next (CORE-04)', (size, pages) => {
    expect(readAll(size)).toEqual(pages);
  });

  it('is empty behind the last entry (CORE-04)', () => {
    expect(letters.page(5, 2)).toEqual({ entries: [] });
    expect(letters.page(99, 2)).toEqual({ entries: [] });
  });

  it('neither repeats nor skips what stays when entries go and come between pages (CORE-04)', () => {
    const pages = readAll(2, (count) => {
      if (count !== 1) return;
      letters.remove('b');
      letters.remove('c');
      letters.add({ key: 'f', text: 'f' });
    });
    expect(pages).toEqual(['ab', 'de', 'f']);
  });
});
