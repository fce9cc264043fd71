import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { COMMANDS } from '../../../cli/commands.js';
import { runInit } from '../../../cli/init/init.command.js';
import { runCommand } from '../../../cli/run-command.js';

const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n`;
const MANIFEST = { name: 'shop', version: '1.2.3', type: 'module', dependencies: { rxjs: '^7.8.0' } };

describe('"init"', () => {
  let folder: string;
  let printed: string[];
  let complaints: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-init-'));
    printed = [];
    complaints = [];
    write('package.json', `${JSON.stringify(MANIFEST, undefined, 4)}\n`);
    write('src/app.module.ts', MODULE);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const terminal = {
    environment: {},
    print: (line: string) => void printed.push(line),
    complain: (line: string) => void complaints.push(line),
  };
  const run = (...args: string[]) => runInit(args, terminal, folder);

  it('adds the module, a tool, the dependency and scripts (KIT-02)', async () => {
    expect(await run()).toBe(0);
    expect(read('src/app.module.ts')).toContain(`serverInfo: { name: 'shop', version: '1.2.3' }`);
    expect(read('src/greeting.tools.ts')).toContain('export class GreetingTools {');
    expect(read('package.json')).toMatch(/^ {8}"nestjs-mcp": "\^\d+\.\d+\.\d+",\n {8}"rxjs"/m);
    expect(read('package.json')).toContain('"mcp:doctor": "nestjs-mcp-cli doctor http://127.0.0.1:3000/mcp"');
    // Without its version npm gives an inspector to Node 20 that knows none of these options.
    expect(read('package.json')).toContain(
      '"mcp:inspect": "npx @modelcontextprotocol/inspector@2 --transport',
    );
    expect(printed.join('\n')).toContain('made for Node 22.19 or newer');
    expect(printed.join('\n')).toContain(
      'created src/greeting.tools.ts\nchanged src/app.module.ts\nchanged package.json',
    );
    expect(printed.join('\n')).toContain('npm run start:dev');
  });

  it('offers no first tool where a server has its own (KIT-02)', async () => {
    const server = `McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.2.3' } })`;
    const source = `import { Module } from '@nestjs/common';\nimport { McpModule } from 'nestjs-mcp';\n\n@Module({ imports: [${server}], providers: [OrderTools] })\nexport class AppModule {}\n`;
    write('src/app.module.ts', source);
    await run('--dry-run');
    expect(printed.join('\n')).not.toContain('greeting');
    expect(complaints).toContain(
      '"src/app.module.ts" already has a server, so no sample tool was added: pass "--name" to add one',
    );
    await run();
    expect(read('src/app.module.ts')).toBe(source);
    printed = [];
    expect(await run('--dry-run')).toBe(0);
    expect(printed).toContain('Everything is already set up');
    printed = [];
    await run('--dry-run', '--name', 'stock');
    expect(printed).toContain('would create src/stock.tools.ts');
  });

  it('changes nothing the second time (KIT-02)', async () => {
    await run();
    const before = ['src/app.module.ts', 'src/greeting.tools.ts', 'package.json'].map(read);
    expect(await run()).toBe(0);
    expect(['src/app.module.ts', 'src/greeting.tools.ts', 'package.json'].map(read)).toEqual(before);
    expect(printed.at(-1)).toBe('Everything is already set up');
  });

  it.each([
    ['process.env.PORT ?? 3000', 3000],
    ["process.env['PORT'] ?? '8080', '127.0.0.1'", 8080],
    ['4000, "0.0.0.0"', 4000],
    ['config.port', 3000],
  ])('has its scripts look where the application listens: listen(%s) (KIT-02)', async (given, port) => {
    write('src/main.ts', `// app.listen(9999)\nawait app.listen(${given});\n`);
    await run();
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const endpoint = `http://127.0.0.1:${port}/mcp`;
    expect(scripts['mcp:doctor']).toBe(`nestjs-mcp-cli doctor ${endpoint}`);
    expect(scripts['mcp:inspect']).toContain(`--server-url ${endpoint}`);
    expect(printed.at(-1)).toContain(`then open ${endpoint} in a browser`);
  });

  it('has packages installed only if it added any, by what the application installs with (KIT-02)', async () => {
    write('pnpm-lock.yaml', '');
    await run();
    expect(printed.at(-1)).toContain('  pnpm install\n  pnpm run start:dev');
    write('src/app.module.ts', MODULE);
    await run();
    expect(printed.at(-1)).not.toContain('install');
  });

  it.each([
    [{ start: 'nest start' }, 'start'],
    [{ start: 'nest start', dev: 'nest start --watch' }, 'dev'],
    [{ start: 'nest start', 'start:dev': 'nest start --watch' }, 'start:dev'],
  ])('names the script that starts the application: %j (KIT-02)', async (scripts, name) => {
    write('package.json', JSON.stringify({ ...MANIFEST, scripts }));
    await run();
    expect(printed.at(-1)).toContain(`npm run ${name} `);
  });

  it('says what the warning of an open server is about (KIT-02)', async () => {
    await run();
    expect(printed.at(-1)).toMatch(
      /The server has no authentication, and logs a warning.*"auth".*127\.0\.0\.1/s,
    );
  });

  it('does not call a server open that it did not add (KIT-02)', async () => {
    const server = `McpModule.forRoot({ auth: { validator: KeyValidator } })`;
    write('src/app.module.ts', MODULE.replace('{}', `{ imports: [${server}] }`));
    await run();
    expect(printed.at(-1)).toContain('npm run start:dev');
    expect(printed.at(-1)).not.toContain('The server has no authentication');
  });

  it('writes nothing where it shall only say what it would do (KIT-02)', async () => {
    expect(await run('--dry-run')).toBe(0);
    expect(read('src/app.module.ts')).toBe(MODULE);
    expect(existsSync(join(folder, 'src/greeting.tools.ts'))).toBe(false);
    expect(printed).toEqual([
      'would create src/greeting.tools.ts',
      'would change src/app.module.ts',
      'would change package.json',
    ]);
  });

  it('takes zod where it is installed, else JSON Schema (KIT-02)', async () => {
    await run('--name', 'first');
    expect(read('src/first.tools.ts')).not.toContain('zod');
    expect(read('package.json')).not.toContain('zod');
    write('node_modules/zod/package.json', '{ "name": "zod", "version": "4.3.6" }');
    await run('--name', 'order-search');
    expect(read('src/order-search.tools.ts')).toContain(`import { z } from 'zod';`);
    expect(read('src/order-search.tools.ts')).toContain('export class OrderSearchTools {');
    expect(read('package.json')).toContain('"zod": "^4.2.0"');
    expect(read('src/app.module.ts')).toContain('providers: [FirstTools, OrderSearchTools]');
  });

  it.each([
    ['^3.23.8', undefined, false],
    ['^3.25.0 || ^4.2.0', undefined, false],
    ['~4.1.0', undefined, false],
    ['^4.0.0', undefined, false],
    ['latest', undefined, false],
    ['<5', undefined, false],
    ['^4.0.0', '4.1.13', false],
    [undefined, '3.25.76', false],
    ['^4.0.0', '4.2.0', true],
    ['workspace:*', '4.10.0', true],
    ['^4.2.0', undefined, true],
    ['>= 4.2.1 <6', undefined, true],
    ['5.0.0', undefined, true],
  ])('with zod declared as %s and installed as %s takes it: %s (KIT-02)', async (...row) => {
    const [declared, installed, takesZod] = row;
    const dependencies = { ...MANIFEST.dependencies, ...(declared !== undefined && { zod: declared }) };
    write('package.json', JSON.stringify({ ...MANIFEST, dependencies }));
    if (installed)
      write('node_modules/zod/package.json', JSON.stringify({ name: 'zod', version: installed }));
    expect(await run()).toBe(0);
    expect(read('src/greeting.tools.ts').includes('zod')).toBe(takesZod);
    expect(JSON.parse(read('package.json'))).toMatchObject({ dependencies });
  });

  it('finds the module where the Nest CLI or the caller says (KIT-02)', async () => {
    write('nest-cli.json', '{ "sourceRoot": "apps/shop/src" }');
    write('apps/shop/src/app.module.ts', MODULE);
    write('lib/root.module.ts', MODULE);
    expect(await run()).toBe(0);
    expect(existsSync(join(folder, 'apps/shop/src/greeting.tools.ts'))).toBe(true);
    expect(await run('--module', './lib/root.module.ts')).toBe(0);
    expect(existsSync(join(folder, 'lib/greeting.tools.ts'))).toBe(true);
    expect(read('src/app.module.ts')).toBe(MODULE);
  });

  it('reads the other file that the Nest CLI takes, after its usual one (KIT-02)', async () => {
    write('.nest-cli.json', '{ "sourceRoot": "apps/shop/src" }');
    write('apps/shop/src/app.module.ts', MODULE);
    expect(await run()).toBe(0);
    expect(existsSync(join(folder, 'apps/shop/src/greeting.tools.ts'))).toBe(true);
    write('nest-cli.json', '{ "sourceRoot": "src" }');
    expect(await run()).toBe(0);
    expect(existsSync(join(folder, 'src/greeting.tools.ts'))).toBe(true);
  });

  it('finds the module of the application that is the first of several (KIT-02)', async () => {
    const projects = { web: { sourceRoot: 'apps/web/src' }, shop: { sourceRoot: 'apps/shop/src' } };
    write('nest-cli.json', JSON.stringify({ projects, monorepo: true, sourceRoot: 'apps/shop/src' }));
    write('apps/web/src/app.module.ts', MODULE);
    write('apps/shop/src/app.module.ts', MODULE);
    expect(await run()).toBe(0);
    expect(existsSync(join(folder, 'apps/shop/src/greeting.tools.ts'))).toBe(true);
    expect(read('apps/web/src/app.module.ts')).toBe(MODULE);
  });

  it.each([
    ['names no folder', '{ "projects": { "web": { "sourceRoot": "apps/web/src" } } }'],
    ['names something else', '{ "sourceRoot": 1 }'],
  ])('takes "src" where the Nest CLI %s, as that does (KIT-02)', async (_, configuration) => {
    write('nest-cli.json', configuration);
    expect(await run()).toBe(0);
    expect(existsSync(join(folder, 'src/greeting.tools.ts'))).toBe(true);
  });

  it('asks nothing of the Nest CLI where the caller names the module (KIT-02)', async () => {
    write('nest-cli.json', '{ // settings');
    expect(await run('--module', 'src/app.module.ts')).toBe(0);
  });

  it('changes nothing at all where the module is to be changed by hand (KIT-02)', async () => {
    write('src/app.module.ts', MODULE.replace('{}', '{ imports }'));
    expect(await run()).toBe(1);
    expect(complaints.join('\n')).toContain('Nothing was changed; write this by hand:');
    expect(complaints.join('\n')).toContain(`import { McpModule } from 'nestjs-mcp';`);
    expect(existsSync(join(folder, 'src/greeting.tools.ts'))).toBe(false);
    expect(JSON.parse(read('package.json'))).toEqual(MANIFEST);
  });

  it.each([
    [
      'without a package.json',
      () => rmSync(join(folder, 'package.json')),
      'This folder has no "package.json"',
    ],
    ['with a broken package.json', () => write('package.json', '{'), '"package.json" is not valid JSON'],
    [
      'with settings of the Nest CLI that it cannot read either',
      () => write('nest-cli.json', '{ "sourceRoot": "src", }'),
      '"nest-cli.json" is not valid JSON',
    ],
    [
      'with the other settings of the Nest CLI, and unreadable',
      () => write('.nest-cli.json', '{ "sourceRoot": "src", }'),
      '".nest-cli.json" is not valid JSON',
    ],
    [
      'without a root module',
      () => rmSync(join(folder, 'src/app.module.ts')),
      '"src/app.module.ts" does not exist',
    ],
    [
      'with another file in the place',
      () => write('src/greeting.tools.ts', ''),
      '"src/greeting.tools.ts" already exists',
    ],
  ])('refuses a folder %s (KIT-02)', async (_, spoil, reason) => {
    spoil();
    expect(await run()).toBe(1);
    expect(complaints.join('\n')).toContain(reason);
  });

  it.each([
    ['--name', '../evil'],
    ['--name', 'Big'],
    ['--module', '../app.module.ts'],
    ['--module', 'a.js'],
    ['--other'],
    ['file'],
  ])('ends with 2 upon %s %s (KIT-02)', async (...args) => {
    expect(await run(...args.filter((arg) => arg !== undefined))).toBe(2);
    expect(complaints.join('\n')).toContain('Usage: nestjs-mcp-cli init');
  });

  it('is a command, with a usage (KIT-02)', async () => {
    expect(await runCommand(['init', '--help'], COMMANDS, terminal)).toBe(0);
    expect(printed.join('\n')).toContain('--dry-run');
  });
});
