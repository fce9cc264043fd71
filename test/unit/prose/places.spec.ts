import { afterAll, describe, expect, it } from '@jest/globals';
import { ProseFolder } from './prose-folder.js';

const SOURCE = `/** Begins anew (1). */
export function begin(reason = 'it begins anew and goes on') {
  // Begins
  // anew, on two lines (3).
  if (reason === \`\${reason} // all begins anew now\`) throw new Error('short anew');
  /*
   * Begins anew (7).
   */
  return /begins \\/\\/ anew, as a pattern/;
}

/**
 * Ends, and says so in é and ü.
 *
 * @param name begins anew (15)
 * @throws {Error} when it begins anew (16)
 * @default anew
 * @example
 * begin('anew');
 */
export const anew = 'anew';
// oxlint-disable-next-line anew
`;

const PAGE = `# Begins anew

- An item begins anew.

\`anew\` is a name, and [anew](anew.md) a link.

\`\`\`ts
// A comment begins anew.
const text = 1;
\`\`\`

\`\`\`sh
echo anew
\`\`\`
`;

const folder = new ProseFolder({
  'lib/begin.ts': SOURCE,
  'lib/page.tsx': 'export const Page = () => <p>The page begins anew, {/* anew */} now</p>;\n',
  'docs/page.md': PAGE,
  'README.md': 'Begins anew.\n',
  'CHANGELOG.md': 'Begins anew.\n',
  'sample/01-desk/README.md': 'Begins anew.\n',
  'test/begin.spec.ts': '// Begins anew.\n',
  'node_modules/other/README.md': 'Begins anew.\n',
});
const { status, faults } = folder.check();

afterAll(() => folder.remove());

/** Lists the lines of a file in which a fault was found. */
function listLines(path: string): readonly number[] {
  return faults
    .map((fault) => fault.split(' ')[0]?.split(':') ?? [])
    .filter(([file]) => file === path)
    .map(([, line]) => Number(line))
    .toSorted((one, other) => one - other);
}

describe('The check of prose', () => {
  it('fails, and says what to write', () => {
    expect(status).toBe(1);
    expect(faults).toContain('README.md:1 Write "again" instead of "anew" (anew)');
  });

  it('reads comments, docstrings and texts of sources, and neither names nor code', () => {
    expect(listLines('lib/begin.ts')).toEqual([1, 2, 4, 5, 7, 15, 16]);
  });

  it('reads the texts and comments of a page of JSX', () => {
    expect(listLines('lib/page.tsx')).toEqual([1, 1]);
  });

  it('reads headings, lists, links and comments of code in pages', () => {
    expect(listLines('docs/page.md')).toEqual([1, 3, 5, 8]);
  });

  it.each(['CHANGELOG.md', 'sample/01-desk/README.md'])('reads %s', (path) => {
    expect(listLines(path)).toEqual([1]);
  });

  it.each(['test/begin.spec.ts', 'node_modules/other/README.md'])('does not read %s', (path) => {
    expect(listLines(path)).toEqual([]);
  });
});
