import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const index = readFileSync('docs/README.md', 'utf8');
const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');
const rows = [...index.matchAll(/^\| \[[^\]]+\]\(([^)#]+)\)/gm)].map(([, target = '']) => target);

describe('The index of the documentation', () => {
  it('has a row for each page, and no page twice', () => {
    expect(rows.filter((target) => pages.includes(target)).toSorted()).toEqual(pages.toSorted());
  });

  it('leads to the README and to the pages of identity providers', () => {
    expect(rows).toContain('identity-providers/README.md');
    expect(index).toContain('](../README.md#samples)');
  });

  it('is where the README leads', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/README.md)');
  });
});

/** What two screens show. */
const MOST_LINES = 140;

describe('The README', () => {
  it('fits on two screens', () => {
    expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
  });

  it('names the commands that start the sample and run the tests', () => {
    const commands = readFileSync('README.md', 'utf8')
      .split('\n')
      .map((line) => line.replace(/ +#.*/, ''));
    expect(commands).toEqual(expect.arrayContaining(['npm ci && npm start', 'npm ci && npm test']));
  });
});
