import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CHECKS } from '../../../cli/doctor/checks.js';
import { PAGE_CHECKS } from '../../../explorer/examination/page-checks.js';

const [, after = ''] = readFileSync('docs/explorer.md', 'utf8').split('## Doctor checks');
const [section = ''] = after.split('\n## ');
const [stay = '', less = ''] = section.split(/^\| check .*$/m).slice(1);
const readNames = (table: string) =>
  table.split('\n').flatMap((row) => {
    const [, cell = ''] = row.split('|');
    return [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  });

const onPage = PAGE_CHECKS.map(({ id }) => id);

describe('The checks of the page', () => {
  it('are those of the command line, in their order, without those that docs/explorer.md leaves there', () => {
    const left = new Set(readNames(stay));
    expect(onPage).toEqual(CHECKS.map(({ id }) => id).filter((id) => !left.has(id)));
    expect(left.size).toBeGreaterThan(0);
  });

  it('are named in docs/explorer.md where they see less', () => {
    const names = readNames(less);
    expect(names).toEqual(['tls', 'redirect', 'server-metadata', 'server-keys']);
    expect(onPage).toEqual(expect.arrayContaining(names));
  });
});
