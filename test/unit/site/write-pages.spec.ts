import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { PACKAGE, SiteFolder } from './site-folder.js';

const INDEX = `# Pages

## Learn

| page                     | what it covers    |
| ------------------------ | ----------------- |
| [First](../README.md#lend) | lend a book       |
| [Shelves](shelves.md)    | where books stand |
| [Branches](branches/README.md) | each branch |
`;

let folder: SiteFolder;
afterEach(() => folder.remove());

/** Writes a page to the site, beside others, and gives its text there. */
function writePage(text: string, files: Readonly<Record<string, string>> = {}): string {
  folder = new SiteFolder({
    ...PACKAGE,
    'docs/README.md': INDEX,
    'docs/shelves.md': `# Shelves\n\n${text}\n`,
    'docs/branches/README.md': '# Branches\n\n[North](north.md), [shelves](../shelves.md)\n',
    'docs/branches/north.md': '# North\n',
    'docs/images/shelf.svg': '<svg/>',
    'docs/prices.json': '{}',
    'lib/shelf.ts': '',
    ...files,
  });
  folder.call('write-pages.js', 'writePages', folder.path, join(folder.path, 'site'));
  return folder.read('site/shelves.md').split('# Shelves\n\n')[1]?.trim() ?? '';
}

describe('A page of the site', () => {
  it.each([
    ['a page', '[a](branches/north.md)', '[a](./branches/north.md)'],
    ['a part of a page', '[a](branches/north.md#cold)', '[a](./branches/north.md#cold)'],
    ['the page of a folder', '[a](branches/README.md#all)', '[a](./branches/index.md#all)'],
    ['the README', '[`a`](../README.md#lend)', '[`a`](./index.md#lend)'],
    ['the index', '[a](README.md)', '[a](./contents.md)'],
    ['a file beside the pages', '[a](prices.json)', '[a](./prices.json)'],
    ['a picture', '![a](images/shelf.svg)', '![a](./images/shelf.svg)'],
    ['a source', '[a](../lib/shelf.ts)', '[a](https://git.example.com/books/blob/main/lib/shelf.ts)'],
    ['a folder', '[a](../lib/)', '[a](https://git.example.com/books/tree/main/lib)'],
    ['a definition', '[lib]: ../lib/shelf.ts', '[lib]: https://git.example.com/books/blob/main/lib/shelf.ts'],
  ])('leads to %s', (_, link, expected) => {
    expect(writePage(link)).toBe(expected);
  });

  it.each([
    ['another origin', '[a](https://example.com/README.md)'],
    ['a part of itself', '[a](#cold)'],
    ['inline code', '`[a](gone.md)` and ``[a](gone.md) ` ``'],
    ['a block of code', '```md\n[a](gone.md)\n```'],
    ['a longer block of code', '````md\n```\n[a](gone.md)\n```\n````'],
  ])('keeps what it says if that is %s', (_, text) => {
    expect(writePage(text)).toBe(text);
  });

  it('follows links behind code that is open', () => {
    expect(writePage("it's ` open\n\n[a](branches/README.md)")).toContain('(./branches/index.md)');
  });

  it('follows links from a folder', () => {
    writePage('');
    expect(folder.read('site/branches/index.md')).toContain('[North](./north.md), [shelves](../shelves.md)');
  });

  it('says what the index says of it, and where it can be edited', () => {
    writePage('');
    expect(folder.read('site/shelves.md')).toMatch(/^description: "where books stand"$/m);
    expect(folder.read('site/shelves.md')).toMatch(
      /^source: "https:\/\/git\.example\.com\/books\/edit\/main\/docs\/shelves\.md"$/m,
    );
  });

  it('is the README below the name of the package, if it is the first', () => {
    writePage('');
    const page = folder.read('site/index.md');
    expect(page).toContain('layout: "home"');
    expect(page).toMatch(/---\n\nA library\. See \[all pages\]\(\.\/contents\.md\)\.\n$/);
  });

  it('refuses links that lead nowhere, and names them all', () => {
    expect(() => writePage('[a](gone.md), [b](../lib/gone.ts#L1), [c](../../etc/hosts)')).toThrow(
      [
        '"docs/shelves.md" leads to "gone.md", which is not there',
        '"docs/shelves.md" leads to "../lib/gone.ts#L1", which is not there',
        '"docs/shelves.md" leads to "../../etc/hosts", which is not there',
      ].join('\n'),
    );
  });

  it('refuses to be left out of the index', () => {
    expect(() => writePage('', { 'docs/prices.md': '# Prices\n' })).toThrow(
      '"docs/prices.md" is in no row of "docs/README.md": add one, so that people find it',
    );
  });
});
