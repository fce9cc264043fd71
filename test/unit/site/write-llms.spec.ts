import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PACKAGE, SiteFolder } from './site-folder.js';

const INDEX = `# Pages

## Learn

| page                           | what it covers    |
| ------------------------------ | ----------------- |
| [First](../README.md#lend)     | lend a book       |
| [Shelves](shelves.md)          | where books stand |

### Move

| page                           | what it covers    |
| ------------------------------ | ----------------- |
| [Branches](branches/README.md) | each branch       |
`;

/** What the site has besides: what TypeDoc makes of the docstrings. */
const SHELF =
  '---\ndescription: "Where books \\"stand\\"."\neditLink: false\n---\n\n# Class: Shelf\\<Book\\>\n\nSee [shelves](../shelves.md#all).\n';

let folder: SiteFolder;

beforeAll(() => {
  folder = new SiteFolder({
    ...PACKAGE,
    'docs/README.md': INDEX,
    'docs/shelves.md': '# Shelves\n\nSee the [north](branches/north.md#cold), or `[a](b.md)`.\n',
    'docs/branches/README.md': '# Branches\n',
    'docs/branches/north.md': '# North\n',
    'site/api/Shelf.md': SHELF,
    'served/api/Shelf.html': '',
    'served/branches/north.html': '',
  });
  folder.call('write-pages.js', 'writePages', folder.path, join(folder.path, 'site'));
  folder.call('write-llms.js', 'writeLlms', {
    root: folder.path,
    from: join(folder.path, 'site'),
    to: join(folder.path, 'served'),
    origin: 'https://docs.example.com',
    base: '/books/',
  });
});
afterAll(() => folder.remove());

describe('What the site has for models', () => {
  it('is a list of the pages, in the form of llms.txt', () => {
    expect(folder.read('served/llms.txt')).toBe(`# books

> Lends books.

Every page is Markdown. One file has all of them: [llms-full.txt](https://docs.example.com/books/llms-full.txt)

## Learn

- [First](https://docs.example.com/books/index.html.md#lend): lend a book
- [Shelves](https://docs.example.com/books/shelves.html.md): where books stand

## Move

- [Branches](https://docs.example.com/books/branches/index.html.md): each branch
- [North](https://docs.example.com/books/branches/north.html.md)

## Optional

- [Class: Shelf<Book>](https://docs.example.com/books/api/Shelf.html.md): Where books "stand".
`);
  });

  it('is the Markdown of each page, whose links lead to the Markdown of others', () => {
    expect(folder.read('served/shelves.html.md')).toBe(
      '# Shelves\n\nSee the [north](./branches/north.html.md#cold), or `[a](b.md)`.\n',
    );
    expect(folder.read('served/index.html.md')).toMatch(
      /^# books\n\nA library\. See \[all pages\]\(\.\/contents\.html\.md\)/,
    );
    expect(folder.read('served/api/Shelf.html.md')).toContain('(../shelves.html.md#all)');
  });

  it('is one file with all pages, each with its address', () => {
    const whole = folder.read('served/llms-full.txt');
    expect([...whole.matchAll(/^<!-- (.*) -->$/gm)].map(([, url]) => url)).toEqual(
      ['index', 'shelves', 'branches/index', 'branches/north', 'api/Shelf'].map(
        (name) => `https://docs.example.com/books/${name}.html.md`,
      ),
    );
    expect(whole).toContain('# Class: Shelf');
    expect(whole).not.toContain('editLink');
  });
});
