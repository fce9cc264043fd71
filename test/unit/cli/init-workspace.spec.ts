import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runInit } from '../../../cli/init/init.command.js';

const formatModule = (name: string) =>
  `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class ${name} {}\n`;
const formatMain = (name: string, from: string) =>
  `import { NestFactory } from '@nestjs/core';\nimport { ${name} } from '${from}';\nconst app = await NestFactory.create<NestExpressApplication>(${name});\nawait app.listen(4100);\n`;

describe('"init" in a workspace', () => {
  let folder: string;
  let said: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-workspace-'));
    said = [];
    write({ 'package.json': '{ "name": "acme" }' });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  function init(args: readonly string[] = [], inside = '.') {
    const print = (line: string) => void said.push(line);
    return runInit(args, { environment: {}, print, complain: print }, join(folder, inside));
  }

  const nx = (app: string) => ({
    [`apps/${app}/src/main.ts`]: formatMain('AppModule', './app/app.module'),
    [`apps/${app}/src/app/app.module.ts`]: formatModule('AppModule'),
  });

  it('takes the only application that is there, wherever it is (APP-05)', async () => {
    write({ ...nx('api'), 'apps/web/src/main.ts': 'console.log()' });
    expect(await init()).toBe(0);
    expect(readFileSync(join(folder, 'apps/api/src/app/app.module.ts'), 'utf8')).toContain(
      'McpModule.forRoot',
    );
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('doctor http://127.0.0.1:4100/mcp');
  });

  it('names the applications if there are several, and changes nothing (APP-05)', async () => {
    write({ ...nx('api'), ...nx('admin') });
    expect(await init()).toBe(1);
    expect(said.join('\n')).toContain('init --module apps/api/src/app/app.module.ts');
    expect(said.join('\n')).toContain('init --module apps/admin/src/app/app.module.ts');
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{ "name": "acme" }');
  });

  it('takes the application that "--project" names (APP-05)', async () => {
    write({ ...nx('api'), ...nx('admin') });
    expect(await init(['--project', 'admin'])).toBe(0);
    expect(readFileSync(join(folder, 'apps/admin/src/app/app.module.ts'), 'utf8')).toContain(
      'McpModule.forRoot',
    );
    expect(readFileSync(join(folder, 'apps/api/src/app/app.module.ts'), 'utf8')).toBe(
      formatModule('AppModule'),
    );
  });

  it('takes a project of the Nest CLI besides the one that it starts (APP-05)', async () => {
    write({
      'nest-cli.json': '{ "sourceRoot": "apps/shop/src", "projects": { "shop": {}, "admin": {} } }',
      'apps/shop/src/app.module.ts': formatModule('AppModule'),
      'apps/admin/src/main.ts': formatMain('AdminModule', './admin.module'),
      'apps/admin/src/admin.module.ts': formatModule('AdminModule'),
    });
    expect(await init(['--project', 'admin'])).toBe(0);
    expect(readFileSync(join(folder, 'apps/admin/src/admin.module.ts'), 'utf8')).toContain(
      'McpModule.forRoot',
    );
    expect(await init()).toBe(0);
    expect(readFileSync(join(folder, 'apps/shop/src/app.module.ts'), 'utf8')).toContain('McpModule.forRoot');
  });

  it('sends to the package of the application, whose dependencies are its own (APP-05)', async () => {
    write({
      'apps/server/package.json': '{ "name": "server", "version": "1.0.0" }',
      'apps/server/src/main.ts': formatMain('AppModule', './app.module'),
      'apps/server/src/app.module.ts': formatModule('AppModule'),
    });
    expect(await init()).toBe(1);
    expect(said.join('\n')).toContain('cd apps/server && npx nestjs-mcp-cli init\n'.trim());
    expect(await init([], 'apps/server')).toBe(0);
  });

  it.each([
    ['server', 'acme-server'],
    ['acme-api', 'acme-api'],
    ['@acme/server', '@acme/server'],
  ])('names the server of package "%s" after its workspace too: %s (APP-05)', async (name, expected) => {
    write({
      'package.json': '{ "name": "acme", "workspaces": ["apps/*"] }',
      'apps/server/package.json': JSON.stringify({ name }),
      'apps/server/src/app.module.ts': formatModule('AppModule'),
    });
    expect(await init([], 'apps/server')).toBe(0);
    expect(readFileSync(join(folder, 'apps/server/src/app.module.ts'), 'utf8')).toContain(
      `name: '${expected}'`,
    );
  });

  it('names all applications if "--project" names none of them (APP-05)', async () => {
    write({ ...nx('api'), ...nx('admin') });
    expect(await init(['--project', 'shop'])).toBe(1);
    expect(said.join('\n')).toContain('apps/api/src/app/app.module.ts');
  });
});
