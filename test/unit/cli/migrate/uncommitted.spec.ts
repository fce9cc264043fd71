import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runMigrate } from '../../../../lib/cli/migrate/migrate.command.js';
import { writeFiles } from './migrate-files.js';

const TOOL = `import { Tool } from '@rekog/mcp-nest';

class Shop {
  @Tool({ name: 'order', parameters: {} })
  order() {}
}
`;
const MANIFEST = { name: 'shop', dependencies: { zod: '^4.3.0', '@rekog/mcp-nest': '^1.9.11' } };
const LOCK = { lockfileVersion: 3, packages: {} };

describe('"migrate", with changes that are not committed', () => {
  let folder: string;
  let printed: string[];
  let complaints: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-migrate-'));
    [printed, complaints] = [[], []];
    writeFiles(folder, { 'src/shop.ts': TOOL });
    write('package.json', MANIFEST);
    write('package-lock.json', LOCK);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string, content: object) =>
    writeFileSync(join(folder, path), `${JSON.stringify(content, undefined, 2)}\n`);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const commit = () => {
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'all');
  };
  const run = (...args: string[]) =>
    runMigrate(
      args,
      {
        environment: {},
        print: (line) => void printed.push(line),
        complain: (line) => void complaints.push(line),
      },
      folder,
    );

  const REFUSAL =
    'Nothing was written: these files have changes that are not committed: package.json. Commit them, or write over them with "--force"';

  it('goes on if "npm install nestjs-mcp" is all that was done', async () => {
    commit();
    // npm sorts what it writes.
    const dependencies = { '@rekog/mcp-nest': '^1.9.11', 'nestjs-mcp': '^1.0.0', zod: '^4.3.0' };
    write('package.json', { ...MANIFEST, dependencies });
    write('package-lock.json', { ...LOCK, packages: { 'node_modules/nestjs-mcp': { version: '1.0.0' } } });
    expect(await run('--yes')).toBe(0);
    expect(read('src/shop.ts')).toContain("from 'nestjs-mcp'");
    expect(JSON.parse(read('package.json'))).toEqual({
      name: 'shop',
      dependencies: { 'nestjs-mcp': '^1.0.0', zod: '^4.3.0' },
    });
  });

  it('goes on if the package was staged', async () => {
    commit();
    write('package.json', {
      ...MANIFEST,
      dependencies: { ...MANIFEST.dependencies, 'nestjs-mcp': '^1.0.0' },
    });
    git('add', '--all');
    expect(await run('--yes')).toBe(0);
  });

  it.each([
    ['a script', { ...MANIFEST, scripts: { start: 'nest start' } }],
    ['another package', { ...MANIFEST, dependencies: { ...MANIFEST.dependencies, rxjs: '^7.8.0' } }],
    ['another range', { ...MANIFEST, dependencies: { ...MANIFEST.dependencies, zod: '^4.4.0' } }],
  ])('refuses if %s came with it', async (_, { dependencies, ...manifest }) => {
    commit();
    write('package.json', { ...manifest, dependencies: { ...dependencies, 'nestjs-mcp': '^1.0.0' } });
    expect(await run('--yes')).toBe(1);
    expect(complaints).toEqual([REFUSAL]);
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('refuses a "package.json" that git does not know', async () => {
    git('init', '--quiet');
    expect(await run('--yes')).toBe(1);
    expect(complaints.at(-1)).toContain('package.json');
  });

  it('refuses before it shows anything', async () => {
    commit();
    write('package.json', { ...MANIFEST, version: '2.0.0' });
    expect(await run()).toBe(1);
    expect(printed).toEqual([]);
    expect(complaints).toEqual([REFUSAL]);
  });

  it('shows the changes all the same with "--dry-run"', async () => {
    commit();
    write('package.json', { ...MANIFEST, version: '2.0.0' });
    expect(await run('--dry-run')).toBe(0);
    expect(printed.join('\n')).toContain('+++ b/package.json');
  });
});
