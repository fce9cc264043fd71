import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Terminal } from '../../../../lib/cli/command.interface.js';
import { runMigrate } from '../../../../lib/cli/migrate/migrate.command.js';
import { migrateFiles, migrateSource, writeFiles } from './migrate-files.js';

const TOOL = `import { Tool } from '@rekog/mcp-nest';

class Shop {
  @Tool({ name: 'order', parameters: {} })
  order() {}
}
`;
const MIGRATED = TOOL.replace('@rekog/mcp-nest', 'nestjs-mcp').replace('parameters', 'inputSchema');
const MANIFEST = '{ "name": "shop", "dependencies": { "@rekog/mcp-nest": "^1.9.11" } }\n';

describe('"migrate"', () => {
  let place: string;
  let folder: string;
  let complaints: string[];

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'nestjs-mcp-migrate-'));
    folder = join(place, 'shop');
    complaints = [];
    writeFiles(folder, { 'package.json': MANIFEST, 'src/shop.ts': TOOL });
  });

  afterEach(() => rmSync(place, { recursive: true }));

  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  const commit = () => {
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'all');
  };

  function run(args: readonly string[] = ['--yes'], onQuestion = () => undefined as void): Promise<number> {
    const ask = async () => {
      onQuestion();
      return 'y';
    };
    const terminal: Terminal = {
      environment: {},
      print: () => undefined,
      complain: (line) => void complaints.push(line),
      keyboard: { isTerminal: true, ask },
    };
    return runMigrate(args, terminal, folder);
  }

  it('does not write over what somebody has changed while the question waited', async () => {
    const edited = `${TOOL}// a thought\n`;
    expect(await run([], () => writeFileSync(join(folder, 'src/shop.ts'), edited))).toBe(1);
    expect(complaints.at(-1)).toBe(
      'Nothing was written: these files have changed since they were read: src/shop.ts. Run the command again',
    );
    expect([read('src/shop.ts'), read('package.json')]).toEqual([edited, MANIFEST]);
  });

  it('does not write through a link that leads out of the project, and names it', async () => {
    writeFileSync(join(place, 'shared.ts'), TOOL);
    symlinkSync('../../shared.ts', join(folder, 'src/shared.ts'));
    commit();
    expect(await run()).toBe(0);
    expect(readFileSync(join(place, 'shared.ts'), 'utf8')).toBe(TOOL);
    expect(read('src/shop.ts')).toBe(MIGRATED);
    expect(complaints).toContain(
      '"src/shared.ts" is left as it is: it is a link that leads out of the project',
    );
  });

  it('migrates what a link leads to once, if it is a source too', async () => {
    symlinkSync('shop.ts', join(folder, 'src/link.ts'));
    commit();
    expect(await run()).toBe(0);
    expect(read('src/shop.ts')).toBe(MIGRATED);
    expect(complaints).toEqual([]);
  });

  it('does not write through a link to what is built, and names it', async () => {
    writeFiles(folder, { 'dist/shop.ts': TOOL });
    symlinkSync('../dist/shop.ts', join(folder, 'src/built.ts'));
    commit();
    await run();
    expect(read('dist/shop.ts')).toBe(TOOL);
    expect(complaints).toContain(
      '"src/built.ts" is left as it is: it is a link to a file that is not among the sources',
    );
  });

  it('does not change a "package.json" that is elsewhere', async () => {
    writeFileSync(join(place, 'base.json'), MANIFEST);
    rmSync(join(folder, 'package.json'));
    symlinkSync('../base.json', join(folder, 'package.json'));
    expect(await run()).toBe(1);
    expect(complaints.at(-1)).toContain('cannot be changed: it is a link that leads out of its folder');
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('leaves a file that is not UTF-8 as it is, names it, and keeps what it needs', async () => {
    const latin = Buffer.from(`// caf\u00e9\n${TOOL}`, 'latin1');
    writeFileSync(join(folder, 'src/latin.ts'), latin);
    expect(await run()).toBe(0);
    expect(readFileSync(join(folder, 'src/latin.ts')).equals(latin)).toBe(true);
    expect(complaints).toContain('"src/latin.ts" is left as it is: it is not UTF-8');
    expect(read('package.json')).toContain('"@rekog/mcp-nest"');
    expect(read('src/shop.ts')).toBe(MIGRATED);
  });

  it('keeps what a file that cannot be read may need, and names it', async () => {
    writeFiles(folder, { 'src/closed.ts': TOOL });
    chmodSync(join(folder, 'src/closed.ts'), 0);
    for (const path of [place, folder, join(folder, 'src')]) chmodSync(path, 0o777);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await run(['--dry-run'])).toBe(0);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(complaints).toContain('"src/closed.ts" is left as it is: it cannot be read (EACCES)');
    expect(complaints).toContain('"@rekog/mcp-nest" stays in "package.json", since something still needs it');
  });

  it('writes nothing if a folder cannot be read', async () => {
    mkdirSync(join(folder, 'src/closed'), { mode: 0 });
    for (const path of [place, folder, join(folder, 'src')]) chmodSync(path, 0o777);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await run()).toBe(1);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(complaints.at(-1)).toBe('The folder "src/closed" cannot be read (EACCES)');
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('does not take a folder for a file', async () => {
    mkdirSync(join(folder, 'src/folder.ts'));
    writeFiles(folder, { 'src/folder.ts/inner.ts': TOOL });
    expect(await run()).toBe(0);
    expect(read('src/folder.ts/inner.ts')).toBe(MIGRATED);
  });

  it('keeps a byte order mark', async () => {
    writeFiles(folder, { 'src/shop.ts': `\uFEFF${TOOL}`, 'package.json': `\uFEFF${MANIFEST}` });
    expect(await run()).toBe(0);
    expect(read('src/shop.ts')).toBe(`\uFEFF${MIGRATED}`);
    expect(read('package.json')).toMatch(
      /^\uFEFF\{ "name": "shop", "dependencies": \{ "nestjs-mcp": "\^[^"]+" \} \}\n$/,
    );
  });
});

describe('Lines of a file', () => {
  it('keep their ends if only some have returns', async () => {
    const mixed = `${TOOL}// one\r\n// two\n\`three\r\nfour\n\`;\r\n`;
    expect(await migrateSource(mixed)).toBe(`${MIGRATED}// one\r\n// two\n\`three\r\nfour\n\`;\r\n`);
  });

  it('end as most do where they are new', async () => {
    const source = `import { McpModule, ToolRoles, Tool } from '@rekog/mcp-nest';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'shop',
      version: '1.0.0',
      serverMutator: (server) => server,
    }),
  ],
})
export class AppModule {
  @ToolRoles(['a'])
  @Tool({ parameters: {} })
  order() {}
}
`;
    const returned = (text: string) => text.replaceAll('\n', '\r\n');
    expect(await migrateSource(returned(source))).toBe(returned(await migrateSource(source)));
  });

  it('of "package.json" stay as they are beside what is added', async () => {
    const manifest =
      '{\r\n  "files": ["dist"],\n  "dependencies": {\r\n    "@rekog/mcp-nest": "1",\n    "zod": "^4.3.0"\r\n  }\n}\n';
    const user = `import { McpAuthModule, Tool } from '@rekog/mcp-nest';\nexport { McpAuthModule, Tool };\n`;
    const { files } = await migrateFiles({ 'package.json': manifest, 'src/app.ts': user });
    const added = /\s*"nestjs-mcp": "[^"]+",?/;
    expect(files['package.json']).toMatch(added);
    expect(files['package.json']?.replace(added, '')).toBe(manifest);
  });
});
