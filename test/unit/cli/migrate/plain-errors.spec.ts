import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runMigrate } from '../../../../cli/migrate/migrate.command.js';
import { writeFiles } from './migrate-files.js';

const buildTools = (count: number) => `import { McpModule, Tool, ToolRoles } from '@rekog/mcp-nest';

export const server = McpModule.forRoot({ name: 'shop', version: '1.0.0' });

class Shop {
  constructor() {
    if (server === undefined) throw new Error('no server');
  }

  @Tool({ name: 'order', parameters: {} })
  @ToolRoles(['admin'])
  order() {
${"    throw new Error('sold out');\n".repeat(count)}  }
}
`;

describe('"migrate", for plain errors of tools', () => {
  let folder: string;
  let complaints: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-migrate-'));
    complaints = [];
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  async function migrate(version: string, source: string): Promise<readonly string[]> {
    const manifest = JSON.stringify({ name: 'shop', dependencies: { '@rekog/mcp-nest': version } });
    writeFiles(folder, { 'package.json': manifest, 'src/shop.ts': source });
    const complain = (line: string) => void complaints.push(line);
    await runMigrate(['--yes'], { environment: {}, print: () => undefined, complain }, folder);
    return complaints.at(-1)?.split('\n') ?? [];
  }

  it('names the lines on which they are now, and the cure', async () => {
    const [said, place] = await migrate('^1.9.11', buildTools(1));
    const lines = readFileSync(join(folder, 'src/shop.ts'), 'utf8').split('\n');
    const line = lines.indexOf("    throw new Error('sold out');") + 1;
    expect(said).toBe(
      'Callers receive "Internal error" instead of the messages of these errors. Throw "ToolError" if the model should read them:',
    );
    expect(place).toBe(`  src/shop.ts:${line}`);
  });

  it('names ten at most, and counts the others', async () => {
    const told = await migrate('^1.9.11', buildTools(13));
    expect(told).toHaveLength(12);
    expect(told.at(-1)).toBe('  and 3 more');
  });

  it('says nothing in 2.x, where callers did not read them either', async () => {
    const source = buildTools(1).replaceAll(/.*McpModule.*\n/g, '');
    await migrate('^2.0.0', `import { Tool } from '@rekog/mcp-nest';\n${source}`);
    expect(complaints.join('\n')).not.toContain('Internal error');
  });
});
