import { afterEach, describe, expect, it } from '@jest/globals';
import { PACKAGE, SiteFolder } from './site-folder.js';

interface Page {
  readonly path: string;
  readonly title: string;
}

interface Item {
  readonly title: string;
  readonly description: string;
  readonly page: Page;
  readonly hash: string;
  readonly inside: readonly Page[];
}

interface Outline {
  readonly pages: readonly Page[];
  readonly sections: readonly {
    readonly title: string;
    readonly items: readonly Item[];
    readonly groups: readonly { readonly title: string; readonly items: readonly Item[] }[];
  }[];
}

const INDEX = `# Pages

## Learn

| page                              | what it covers            |
| --------------------------------- | ------------------------- |
| [First loan](../README.md#lend)   | lend a \`book\`             |
| [Shelves](shelves.md)             | see a [shelf](shelves.md) |

## Do

### Move

| page                         | what it covers |
| ---------------------------- | -------------- |
| [Branches](branches/README.md) | each branch    |
`;

const FILES = {
  ...PACKAGE,
  'docs/README.md': INDEX,
  'docs/shelves.md': '# Shelves of books\n',
  'docs/branches/README.md': '# Branches\n',
  'docs/branches/north.md': '# North\n',
  'docs/branches/south.md': '# South\n',
};

let folder: SiteFolder;
afterEach(() => folder.remove());

function readOutline(files: Readonly<Record<string, string | object>> = {}): Outline {
  folder = new SiteFolder({ ...FILES, ...files });
  return folder.call('outline.js', 'readOutline', folder.path) as Outline;
}

describe('The outline of the site', () => {
  it('has the sections, groups and rows of the index, in their order', () => {
    const [learn, doing] = readOutline().sections;
    expect([learn?.title, doing?.title, doing?.groups[0]?.title]).toEqual(['Learn', 'Do', 'Move']);
    expect(learn?.items).toMatchObject([
      { title: 'First loan', page: { path: 'index.md' }, hash: '#lend', description: 'lend a book' },
      { title: 'Shelves', page: { path: 'shelves.md', title: 'Shelves of books' }, hash: '' },
    ]);
  });

  it('tells the words of a description without their links', () => {
    expect(readOutline().sections[0]?.items[1]?.description).toBe('see a shelf');
  });

  it('has the pages of a folder inside the page of the folder', () => {
    const [branches] = readOutline().sections[1]?.groups[0]?.items ?? [];
    expect(branches?.page.path).toBe('branches/index.md');
    expect(branches?.inside.map(({ path, title }) => [path, title])).toEqual([
      ['branches/north.md', 'North'],
      ['branches/south.md', 'South'],
    ]);
  });

  it('has a page of a folder once if it has a row of its own', () => {
    const row = '| [The north](branches/north.md) | cold |\n';
    const items = readOutline({ 'docs/README.md': INDEX + row }).sections[1]?.groups[0]?.items;
    expect(items?.map(({ title }) => title)).toEqual(['Branches', 'The north']);
    expect(items?.[0]?.inside.map(({ title }) => title)).toEqual(['South']);
  });

  it('has each page of a row that leads to several, and words without the marks of code', () => {
    const row = '| [To `north`](branches/north.md), [south](branches/south.md) | go |\n';
    const south = { 'docs/branches/south.md': '# To the `south`\n' };
    const items = readOutline({ 'docs/README.md': INDEX + row, ...south }).sections[1]?.groups[0]?.items;
    expect(items?.map(({ title, page, description }) => [title, page.path, description])).toEqual([
      ['Branches', 'branches/index.md', 'each branch'],
      ['To north', 'branches/north.md', 'go'],
      ['To the south', 'branches/south.md', 'go'],
    ]);
  });

  it('refuses an index that leads to what is no page', () => {
    const row = '| [West](west.md) | gone |\n';
    expect(() => readOutline({ 'docs/README.md': INDEX + row })).toThrow(
      '"docs/README.md" leads to "west.md", which is no page',
    );
  });

  it('refuses a page without a heading', () => {
    expect(() => readOutline({ 'docs/shelves.md': 'Shelves\n' })).toThrow(
      '"docs/shelves.md" has no heading: begin it with "# "',
    );
  });
});
