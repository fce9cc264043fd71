import { afterEach, describe, expect, it } from '@jest/globals';
import { PACKAGE, SiteFolder } from './site-folder.js';

const README = `# books

A library.

\`\`\`sh
npm install books
\`\`\`

\`\`\`ts file=src/loans.ts
export const loans = 1;
\`\`\`

![Loans in a browser](./images/loans.png)

## Choose your path

| you have | start with |
| -------- | ---------- |
| nothing  | [Lend a book](./lend.md), today |
| a branch | [Open a shelf](./branches/north.md) |

## Develop
`;

let folder: SiteFolder;
afterEach(() => folder.remove());

const call = (name: string, ...args: readonly unknown[]) => {
  folder = new SiteFolder(PACKAGE);
  return folder.call('first-page.js', name, ...args);
};

describe('The first page', () => {
  it('begins with the paths of the README', () => {
    expect(call('describeFirstPage', { name: 'books', description: 'Lends books' }, README)).toMatchObject({
      hero: {
        actions: [
          { theme: 'brand', text: 'Lend a book', link: '/lend' },
          { theme: 'alt', text: 'Open a shelf', link: '/branches/north' },
        ],
      },
    });
  });

  it('has the first example beside its picture, and the rest of the README below', () => {
    const page = call('arrangeFirstPage', README) as string;
    expect(page).toMatch(
      /^A library\.\n\n<div class="example">\n\n```ts file=src\/loans\.ts\n[\s\S]+?```\n\n!\[Loans/,
    );
    expect(page).toMatch(/## Choose your path\n\n\| you have [\s\S]+## Develop\n$/);
  });

  it('is the README, if that has no example', () => {
    expect(call('arrangeFirstPage', '# books\n\nA library.\n')).toBe('A library.\n');
  });
});
