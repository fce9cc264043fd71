import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrateFiles, migrateSource } from './migrate-files.js';
import { MIGRATED, ShopProject, TOOL } from './shop-project.js';

const MANIFEST = '{ "name": "shop", "dependencies": { "@rekog/mcp-nest": "^1.9.11" } }\n';

describe('"migrate"', () => {
  let shop: ShopProject;

  beforeEach(() => {
    shop = new ShopProject({ 'package.json': MANIFEST });
  });

  afterEach(() => shop.end());

  const read = (path: string) => shop.read(path);

  function run(args: readonly string[] = ['--yes'], onQuestion = () => undefined as void): Promise<number> {
    const ask = async () => {
      onQuestion();
      return 'y';
    };
    return shop.migrate(args, { isTerminal: true, ask });
  }

  it('does not write over what somebody has changed while the question waited', async () => {
    const edited = `${TOOL}// a thought\n`;
    expect(await run([], () => writeFileSync(shop.at('src/shop.ts'), edited))).toBe(1);
    expect(shop.complaints.at(-1)).toBe(
      'Nothing was written: these files changed after they were read: src/shop.ts. Run the command again',
    );
    expect([read('src/shop.ts'), read('package.json')]).toEqual([edited, MANIFEST]);
  });

  it('does not write through a link that leads out of the project, and names it', async () => {
    writeFileSync(join(shop.place, 'shared.ts'), TOOL);
    symlinkSync('../../shared.ts', shop.at('src/shared.ts'));
    shop.commit();
    expect(await run()).toBe(0);
    expect(readFileSync(join(shop.place, 'shared.ts'), 'utf8')).toBe(TOOL);
    expect(read('src/shop.ts')).toBe(MIGRATED);
    expect(shop.complaints).toContain(
      '"src/shared.ts" was not changed: it is a symbolic link to a file outside the project',
    );
  });

  it('migrates what a link leads to once, if it is a source too', async () => {
    symlinkSync('shop.ts', shop.at('src/link.ts'));
    shop.commit();
    expect(await run()).toBe(0);
    expect(read('src/shop.ts')).toBe(MIGRATED);
    expect(shop.complaints).toEqual([]);
  });

  it('does not write through a link to what is built, and names it', async () => {
    shop.write({ 'dist/shop.ts': TOOL });
    symlinkSync('../dist/shop.ts', shop.at('src/built.ts'));
    shop.commit();
    await run();
    expect(read('dist/shop.ts')).toBe(TOOL);
    expect(shop.complaints).toContain(
      '"src/built.ts" was not changed: it is a symbolic link to a file that is not among the sources',
    );
  });

  it('does not change a "package.json" that is elsewhere', async () => {
    writeFileSync(join(shop.place, 'base.json'), MANIFEST);
    rmSync(shop.at('package.json'));
    symlinkSync('../base.json', shop.at('package.json'));
    expect(await run()).toBe(1);
    expect(shop.complaints.at(-1)).toContain(
      'cannot be changed: it is a symbolic link to a file outside its folder',
    );
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('leaves a file that is not UTF-8 as it is, names it, and keeps what it needs', async () => {
    const latin = Buffer.from(`// caf\u00e9\n${TOOL}`, 'latin1');
    writeFileSync(shop.at('src/latin.ts'), latin);
    expect(await run()).toBe(0);
    expect(readFileSync(shop.at('src/latin.ts')).equals(latin)).toBe(true);
    expect(shop.complaints).toContain('"src/latin.ts" was not changed: it is not UTF-8');
    expect(read('package.json')).toContain('"@rekog/mcp-nest"');
    expect(read('src/shop.ts')).toBe(MIGRATED);
  });

  it('keeps what a file that cannot be read may need, and names it', async () => {
    shop.write({ 'src/closed.ts': TOOL });
    chmodSync(shop.at('src/closed.ts'), 0);
    for (const path of [shop.place, shop.folder, shop.at('src')]) chmodSync(path, 0o777);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await run(['--dry-run'])).toBe(0);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(shop.complaints).toContain('"src/closed.ts" was not changed: it cannot be read (EACCES)');
    expect(shop.complaints).toContain(
      '"@rekog/mcp-nest" stays in "package.json", because something still needs it',
    );
  });

  it('writes nothing if a folder cannot be read', async () => {
    mkdirSync(shop.at('src/closed'), { mode: 0 });
    for (const path of [shop.place, shop.folder, shop.at('src')]) chmodSync(path, 0o777);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await run()).toBe(1);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
    expect(shop.complaints.at(-1)).toBe('The folder "src/closed" cannot be read (EACCES)');
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('does not take a folder for a file', async () => {
    mkdirSync(shop.at('src/folder.ts'));
    shop.write({ 'src/folder.ts/inner.ts': TOOL });
    expect(await run()).toBe(0);
    expect(read('src/folder.ts/inner.ts')).toBe(MIGRATED);
  });

  it('keeps a byte order mark', async () => {
    shop.write({ 'src/shop.ts': `\uFEFF${TOOL}`, 'package.json': `\uFEFF${MANIFEST}` });
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
