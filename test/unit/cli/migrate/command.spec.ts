import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MIGRATED, ShopProject, TOOL } from './shop-project.js';

const MANIFEST = `{
  "name": "shop",
  "dependencies": {
    "@modelcontextprotocol/sdk": "^1.27.0",
    "@rekog/mcp-nest": "^1.9.11",
    "rxjs": "^7.8.0",
    "zod": "^3.25.0"
  }
}
`;

describe('"migrate"', () => {
  let shop: ShopProject;
  let asked: string[];

  beforeEach(() => {
    shop = new ShopProject({ 'package.json': MANIFEST });
    asked = [];
  });

  afterEach(() => shop.end());

  const read = (path: string) => shop.read(path);

  /** Runs it where somebody types an answer; without one nobody sits there. */
  function run(args: readonly string[], answer?: string): Promise<number> {
    const ask = async (question: string) => {
      asked.push(question);
      return answer;
    };
    return shop.migrate(args, { isTerminal: answer !== undefined, ask });
  }

  it('shows the changes, asks, and writes', async () => {
    expect(await run([], 'y')).toBe(0);
    expect(shop.printed[0]).toBe(`--- a/src/shop.ts
+++ b/src/shop.ts
@@ -1,6 +1,6 @@
-import { Tool } from '@rekog/mcp-nest';
+import { Tool } from 'nestjs-mcp';
 
 class Shop {
-  @Tool({ name: 'order', parameters: {} })
+  @Tool({ name: 'order', inputSchema: {} })
   order() {}
 }`);
    expect(asked).toEqual(['Write these changes? [y/N] ']);
    expect(read('src/shop.ts')).toBe(MIGRATED);
    expect(read('package.json')).toMatch(/"nestjs-mcp": "\^[\d.]+",\n {4}"rxjs"/);
    expect(read('package.json')).not.toContain('@rekog');
    expect(shop.printed.at(-2)).toBe('Changed 2 files');
  });

  it('writes nothing if that is not wanted', async () => {
    expect(await run([], 'no')).toBe(1);
    expect(read('src/shop.ts')).toBe(TOOL);
    expect(shop.complaints.at(-1)).toBe('Nothing was written');
  });

  it('only shows if nobody can be asked', async () => {
    expect(await run([])).toBe(1);
    expect(shop.printed.join('\n')).toContain('+++ b/src/shop.ts');
    expect(read('src/shop.ts')).toBe(TOOL);
    expect(shop.complaints.at(-1)).toContain('pass "--yes" to write without asking');
  });

  it('only shows with "--dry-run"', async () => {
    expect(await run(['--dry-run', '--yes'])).toBe(0);
    expect(shop.printed.join('\n')).toContain('+++ b/package.json');
    expect(read('src/shop.ts')).toBe(TOOL);
  });

  it('changes nothing the second time', async () => {
    expect(await run(['--yes'])).toBe(0);
    const before = [read('src/shop.ts'), read('package.json')];
    expect(await run(['--yes'])).toBe(0);
    expect(shop.printed.at(-1)).toBe('There is nothing to migrate');
    expect([read('src/shop.ts'), read('package.json')]).toEqual(before);
  });

  it('says at its end exactly what to run next', async () => {
    const scripts = { build: 'nest build', test: 'jest', 'test:e2e': 'jest', 'start:dev': 'nest start' };
    const manifest = JSON.stringify({ ...JSON.parse(MANIFEST), scripts });
    const main = `app.setGlobalPrefix('api');\nawait app.listen(process.env.PORT ?? 8080);\n`;
    const module = `import { McpModule } from '@rekog/mcp-nest';
export const mcp = McpModule.forRoot({ name: 'a', version: '1', mcpEndpoint: '/shop' });
`;
    shop.write({ 'package.json': manifest, 'src/main.ts': main, 'src/app.module.ts': module });
    await run(['--yes']);
    expect(shop.printed.at(-1)).toBe(`Next:
  npm install zod@^4.2.0                     # older versions cannot convert schemas to JSON Schema
  npm install
  npm uninstall @modelcontextprotocol/sdk    # if nothing outside the sources needs them
  npm run build
  npm test
  npm run test:e2e
  npm run start:dev                          # and in another terminal:
  npx nestjs-mcp-cli doctor http://127.0.0.1:8080/api/shop`);
  });

  it('names no URL of a server that serves standard input and output alone', async () => {
    const manifest = JSON.stringify({ ...JSON.parse(MANIFEST), scripts: { start: 'node dist/main' } });
    const main = `import { McpModule, McpTransportType } from '@rekog/mcp-nest';
@Module({ imports: [McpModule.forRoot({ name: 'a', version: '1', transport: McpTransportType.STDIO })] })
class AppModule {}
const app = await NestFactory.createApplicationContext(AppModule);
await app.init();
`;
    shop.write({ 'package.json': manifest, 'src/main.ts': main });
    shop.write({ 'pnpm-lock.yaml': '' });
    await run(['--yes']);
    expect(shop.printed.at(-1)).toBe(`Next:
  pnpm add zod@^4.2.0                      # older versions cannot convert schemas to JSON Schema
  pnpm install
  pnpm remove @modelcontextprotocol/sdk    # if nothing outside the sources needs them`);
  });

  it('does not write over what is not committed, unless told to', async () => {
    shop.commit();
    shop.write({ 'src/shop.ts': `${TOOL}// a thought\n` });
    expect(await run(['--yes'])).toBe(1);
    expect(shop.complaints.at(-1)).toBe(
      'Nothing was written: these files have uncommitted changes: src/shop.ts. Commit them, or overwrite them with "--force"',
    );
    expect(read('src/shop.ts')).toContain('@rekog');
    expect(await run(['--yes', '--force'])).toBe(0);
    expect(read('src/shop.ts')).toBe(`${MIGRATED}// a thought\n`);
  });

  it('does not care about other files that are not committed', async () => {
    shop.commit();
    shop.write({ 'notes.txt': 'a thought' });
    expect(await run(['--yes'])).toBe(0);
    expect(read('src/shop.ts')).toBe(MIGRATED);
  });

  it('leaves out what git ignores, and what is built', async () => {
    shop.write({ '.gitignore': 'generated\n', 'generated/a.ts': TOOL, 'dist/b.js': TOOL });
    shop.commit();
    await run(['--yes']);
    expect([read('generated/a.ts'), read('dist/b.js')]).toEqual([TOOL, TOOL]);
  });

  it('writes all files or none', async () => {
    // Beside a name of this length there is no other for the time being.
    const last = `src/z${'z'.repeat(240)}.ts`;
    shop.write({ [last]: TOOL });
    expect(await run(['--yes'])).toBe(1);
    expect(shop.complaints.at(-1)).toBe(
      `"${last}" cannot be written (ENAMETOOLONG): all files are unchanged`,
    );
    expect([read('src/shop.ts'), read('package.json'), read(last)]).toEqual([TOOL, MANIFEST, TOOL]);
    expect(readdirSync(shop.at('src'))).toHaveLength(2);
  });

  it('keeps the mode of files', async () => {
    chmodSync(shop.at('src/shop.ts'), 0o640);
    await run(['--yes']);
    expect(statSync(shop.at('src/shop.ts')).mode & 0o777).toBe(0o640);
  });

  it('migrates one project of a monorepo, whose dependency others may still need', async () => {
    shop.write({ 'apps/desk/src/desk.ts': TOOL, 'apps/desk/package.json': '{ "name": "desk" }' });
    expect(await run(['--yes', '--project', 'apps/desk'])).toBe(0);
    expect(read('apps/desk/src/desk.ts')).toBe(MIGRATED);
    expect(read('src/shop.ts')).toBe(TOOL);
    expect(read('package.json')).toContain('"@rekog/mcp-nest": "^1.9.11"');
    expect(read('package.json')).toContain('"nestjs-mcp"');
    expect(shop.complaints.join('\n')).toContain('stays in the "package.json" of a parent folder');
  });

  it('lists what is left by its line, with what to do and where that is explained, also later', async () => {
    shop.write({
      'src/app.ts': `import { McpModule } from '@rekog/mcp-nest';
export const mcp = McpModule.forRoot({ name: 'a', version: '1', transport: 'streamable-http', serverMutator });
`,
    });
    await run(['--yes']);
    const line =
      read('src/app.ts')
        .split('\n')
        .findIndex((one) => one.includes('TODO(nestjs-mcp)')) + 1;
    const expected = new RegExp(
      `^Remaining work:\\n {2}src/app.ts:${line}\\n {4}There is no underlying SDK server .*\\n {4}See \\S+from-mcp-nest.md#sdk-server$`,
    );
    expect(shop.complaints.at(-1)).toMatch(expected);
    await run(['--yes']);
    expect(shop.printed.at(-1)).toBe('There is nothing to migrate');
    expect(shop.complaints.at(-1)).toMatch(expected);
  });

  it.each([
    [['--project', 'nowhere'], '"--project" must be an application folder, such as "apps/shop"'],
    [['src'], '"migrate" accepts only options'],
  ])('refuses %j', async (args, message) => {
    expect(await run(args)).toBe(2);
    expect(shop.complaints[0]).toBe(message);
  });

  it('leads to the page for servers of the official SDK', async () => {
    const source = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\n`;
    shop.write({ 'package.json': '{ "name": "other" }', 'src/shop.ts': source });
    expect(await run(['--yes'])).toBe(0);
    expect(shop.complaints.join('\n')).toContain('docs/migration/from-the-official-sdk.md');
    expect(shop.printed).toEqual(['There is nothing to migrate']);
  });

  it('has nothing to do in another application', async () => {
    shop.write({ 'package.json': '{ "name": "other" }', 'src/shop.ts': 'export {};\n' });
    mkdirSync(shop.at('empty'));
    expect(await run(['--yes'])).toBe(0);
    expect(shop.printed).toEqual(['There is nothing to migrate']);
  });
});
