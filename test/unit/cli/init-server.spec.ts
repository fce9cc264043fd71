import { describe, expect, it } from '@jest/globals';
import { planInit } from '../../../cli/init/plan-init.js';

const SERVER = `import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
@Module({ imports: [McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' } })] })
export class ToolsModule {}
`;

/** The root module with an import of its own. */
function root(statement: string, imports = 'ToolsModule'): string {
  return `import { Module } from '@nestjs/common';\n${statement}\n\n@Module({ imports: [${imports}] })\nexport class AppModule {}\n`;
}

function plan(files: Readonly<Record<string, string>>, name?: string) {
  const all: Readonly<Record<string, string>> = {
    'package.json': '{ "name": "shop", "version": "1.0.0" }',
    ...files,
  };
  return planInit({ read: (path) => all[path], findVersion: () => undefined }, { name });
}

describe('"init" of an application with a server', () => {
  it.each([
    ['a feature module', `import { ToolsModule } from './tools/tools.module.js';`, {}],
    [
      'a module that is imported without an ending',
      `import { ToolsModule } from './tools/tools.module';`,
      {},
    ],
    ['a module of the base folder', `import { ToolsModule } from 'src/tools/tools.module';`, {}],
    [
      'a folder',
      `import { ToolsModule } from './tools';`,
      {
        'src/tools/index.ts': `export * from './tools.module';`,
      },
    ],
    [
      'a module that a module imports',
      `import { CoreModule } from './core.module.js';`,
      {
        'src/core.module.ts': root(`import { ToolsModule } from "./tools/tools.module.js";`),
      },
    ],
    [
      'modules that import each other',
      `import { CoreModule } from './core.module.js';`,
      {
        'src/core.module.ts': `${root(`import { ToolsModule } from "./tools/tools.module.js";`)}import './app.module.js';\n`,
      },
    ],
    [
      'a path of the compiler',
      `import { ToolsModule } from '@shop/tools.module';`,
      {
        'tsconfig.json':
          '{ /* of the compiler */ "compilerOptions": { "paths": { "@shop/*": ["./src/tools/*"], }, } }',
      },
    ],
  ])('finds it in %s (KIT-02)', (_where, statement, others) => {
    const { changes, notes, addsServer } = plan({
      'src/app.module.ts': root(statement),
      'src/tools/tools.module.ts': SERVER,
      ...others,
    });
    expect(notes).toEqual([
      '"src/tools/tools.module.ts" already has a server, so no sample tool was added: pass "--name" to add one',
    ]);
    expect([changes.map(({ path }) => path), addsServer]).toEqual([['package.json'], false]);
  });

  it('adds a tool that is asked for, and no second server (KIT-02)', () => {
    const files = {
      'src/app.module.ts': root(`import { ToolsModule } from './tools/tools.module.js';`),
      'src/tools/tools.module.ts': SERVER,
    };
    const { changes, addsServer } = plan(files, 'orders');
    const changed = changes.find(({ path }) => path === 'src/app.module.ts')?.text;
    expect(changed).toContain('providers: [OrdersTools]');
    expect(changed).not.toContain('McpModule');
    expect([changes.map(({ path }) => path), addsServer]).toEqual([
      ['src/orders.tools.ts', 'src/app.module.ts', 'package.json'],
      false,
    ]);
  });

  it.each([
    ['is not imported', `import { ToolsModule } from './other.js';`, SERVER],
    ['is imported in a comment', `// import { ToolsModule } from './tools/tools.module.js';`, SERVER],
    [
      'is of another package',
      `import { ToolsModule } from './tools/tools.module.js';`,
      SERVER.replace("'nestjs-mcp'", "'other-mcp'"),
    ],
    ['is outside the project', `import { ToolsModule } from '../../tools.module.js';`, SERVER],
  ])('adds one if a module %s (KIT-02)', (_why, statement, text) => {
    const files = {
      'src/app.module.ts': root(statement),
      'src/tools/tools.module.ts': text,
      '../tools.module.ts': text,
    };
    const { addsServer, changes } = plan(files);
    expect(addsServer).toBe(true);
    expect(changes.find(({ path }) => path === 'src/app.module.ts')?.text).toContain('McpModule.forRoot(');
  });

  it('leaves one of "@rekog/mcp-nest" to "migrate" (KIT-02)', () => {
    const files = {
      'src/app.module.ts': root(`import { ToolsModule } from './tools/tools.module.js';`),
      'src/tools/tools.module.ts': SERVER.replace("'nestjs-mcp'", "'@rekog/mcp-nest'"),
    };
    expect(() => plan(files)).toThrow(
      '"src/tools/tools.module.ts" declares a server of "@rekog/mcp-nest": migrate it with "npx nestjs-mcp-cli migrate"',
    );
  });
});
