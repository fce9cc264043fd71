import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../house/layer-table.js';
import { PACKAGE, SiteFolder } from './site-folder.js';

const INDEX = `# Pages

## Learn

| page                 | what it covers |
| -------------------- | -------------- |
| [Loans](loans.md)    | lend           |

## Contributing

| page                 | what it covers |
| -------------------- | -------------- |
| [Stacks](stacks.md)  | build          |
`;

const LOANS = `# Loans

Lend a [book](books.md#all "Books") to \`Ada\`.

> [!WARNING]
> Ask first.

::: tip
Ask again.
:::

![A loan](loan.png)

| option | meaning |
| ------ | ------- |
| days   | how long |

\`\`\`ts file=src/mcp.ts
export const mcp = McpModule.forRoot({ secret: process.env['MCP_SECRET'] ?? 'a text', name: process.env['NAME'] ?? 'x' });
\`\`\`

- item

  \`\`\`ts
  const a = process.env.API_TOKEN ?? '';
  \`\`\`

\`\`\`sh
npm start
\`\`\`

\`\`\`mermaid
a->>b: lend
\`\`\`
`;

describe('The counts of the pages', () => {
  it('are those of what users read, without code', () => {
    const folder = new SiteFolder({
      ...PACKAGE,
      'README.md': '# books\n\nA library.\n',
      'docs/README.md': INDEX,
      'docs/loans.md': LOANS,
      'docs/stacks.md': '# Stacks\n\nWords of no user.\n\n```ts\nlet a;\n```\n',
    });
    const counts = folder.call('count-pages.js', 'countPages', folder.path);
    folder.remove();
    expect(counts).toEqual({
      words: 3 + 15 + 20,
      tableShare: 44.7,
      unnamedBlocks: 1,
      nakedModules: 1,
      fallbackSecrets: 2,
      pictures: 2,
      callouts: 2,
    });
  });

  it('are within their limits', () => {
    const { status, stdout } = spawnSync(process.execPath, ['tools/site/print-counts.js'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('words outside of code'),
    });
  });
});
