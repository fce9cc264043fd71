import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { formatChanges } from '../../../cli/application/format-changes.js';

const PRETTIER = dirname(fileURLToPath(import.meta.resolve('prettier/package.json')));
const CREATED = `import { A } from 'a';\n\nexport const list = [A, { first: '1', second: '2', third: '3', fourth: '4', fifth: '5' }];\n`;

describe('formatChanges', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-format-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(PRETTIER, join(folder, 'node_modules/prettier'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const format = async (text: string, before?: string) => {
    const change = { path: 'src/a.ts', text, isCreated: before === undefined };
    const [formatted] = await formatChanges([change], { root: folder, project: { read: () => before } });
    return formatted?.text;
  };

  it('keeps the quotes of a created file where Prettier has no settings (KIT-02)', async () => {
    const text = await format(CREATED);
    expect(text).toContain(`from 'a';\n`);
    expect(text).toContain(`\n  { first: '1',`);
  });

  it('keeps those of a file that was well-formed except for its quotes (KIT-02)', async () => {
    expect(await format(CREATED, `import { A } from 'a';\n`)).toContain(`\n  { first: '1',`);
  });

  it('takes the settings of the application (KIT-02)', async () => {
    writeFileSync(join(folder, '.prettierrc'), '{ "singleQuote": false }');
    expect(await format(CREATED)).toContain(`from "a";\n`);
  });
});
