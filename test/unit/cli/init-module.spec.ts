import { describe, expect, it } from '@jest/globals';
import { editModule } from '../../../cli/application/edit-module.js';
import { ApplicationError } from '../../../cli/application/application.error.js';
import { buildServerAdditions } from '../../../cli/init/plan-init.js';
import { readSourceStyle } from '../../../cli/application/source-style.js';

const SERVER = `McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' } })`;

function edit(source: string, isModule = true): string {
  const style = readSourceStyle(source, isModule);
  const tools = { className: 'GreetingTools', from: `./greeting.tools${style.extension}` };
  const serverInfo = { name: 'shop', version: '1.0.0' };
  return editModule(source, buildServerAdditions({ serverInfo, tools }, style), style);
}

const IMPORT = `import { Module } from '@nestjs/common';`;
const ADDED = `import { McpModule } from 'nestjs-mcp';\nimport { GreetingTools } from './greeting.tools.js';`;
const withImports = (rest: string) => `${IMPORT}\n${ADDED}\n\n${rest}`;

describe('"init" of a root module', () => {
  it('adds to the lists of the scaffold (KIT-02)', () => {
    const source = `${IMPORT}
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';

@Module({
  imports: [],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
`;
    expect(edit(source)).toBe(`${IMPORT}
import { AppController } from './app.controller.js';
import { AppService } from './app.service.js';
${ADDED}

@Module({
  imports: [${SERVER}],
  controllers: [AppController],
  providers: [AppService, GreetingTools],
})
export class AppModule {}
`);
  });

  it.each([
    ['nothing', '@Module({})', `@Module({\n  imports: [${SERVER}],\n  providers: [GreetingTools],\n})`],
    [
      'nothing over two lines',
      '@Module({\n})',
      `@Module({\n  imports: [${SERVER}],\n  providers: [GreetingTools],\n})`,
    ],
    [
      'one line',
      '@Module({ controllers: [A] })',
      `@Module({ controllers: [A], imports: [${SERVER}], providers: [GreetingTools] })`,
    ],
    [
      'one line that ends in commas',
      '@Module({ imports: [A, ], })',
      `@Module({ imports: [A, ${SERVER}, ], providers: [GreetingTools], })`,
    ],
    [
      'lists over several lines',
      '@Module({\n  imports: [\n    A.forRoot({ b: [1, 2] }),\n    B, // the last\n  ],\n  providers: [\n    C\n  ]\n})',
      `@Module({\n  imports: [\n    A.forRoot({ b: [1, 2] }),\n    B,\n    ${SERVER}, // the last\n  ],\n  providers: [\n    C,\n    GreetingTools\n  ]\n})`,
    ],
    [
      'members over several lines',
      '@Module({\n  controllers: [A],\n})',
      `@Module({\n  controllers: [A],\n  imports: [${SERVER}],\n  providers: [GreetingTools],\n})`,
    ],
    [
      'brackets in texts and comments',
      '@Module({\n  // imports: [\n  imports: [A.register("]})", `}${1}`, /[\\]})]/)],\n  /* } */ providers: [{ provide: "x", useValue: [1] }],\n})',
      `@Module({\n  // imports: [\n  imports: [A.register("]})", \`}\${1}\`, /[\\]})]/), ${SERVER}],\n  /* } */ providers: [{ provide: "x", useValue: [1] }, GreetingTools],\n})`,
    ],
    [
      'a spread list',
      '@Module({ imports: [...FEATURES], providers: [...ALL] })',
      `@Module({ imports: [...FEATURES, ${SERVER}], providers: [...ALL, GreetingTools] })`,
    ],
  ])('adds to a module of %s (KIT-02)', (_, decorator, expected) => {
    const rest = `export class AppModule {}\n`;
    expect(edit(`${IMPORT}\n\n${decorator}\n${rest}`)).toBe(withImports(`${expected}\n${rest}`));
  });

  it('writes as the file does (KIT-02)', () => {
    const source = `import { Module } from "@nestjs/common"\r\nimport { A } from "./a"\r\n\r\n@Module({\r\n  imports: [\r\n    A\r\n  ],\r\n  providers: []\r\n})\r\nexport class AppModule {}\r\n`;
    const edited = edit(source);
    expect(edited).toContain(
      `import { A } from "./a"\r\nimport { McpModule } from "nestjs-mcp"\r\nimport { GreetingTools } from "./greeting.tools"\r\n\r\n`,
    );
    expect(edited).toContain(
      `    A,\r\n    McpModule.forRoot({ serverInfo: { name: "shop", version: "1.0.0" } })\r\n`,
    );
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it.each([
    ['ES modules without other imports', '', true, '.js'],
    ['CommonJS', '', false, ''],
    ['imports that end in ".ts"', `import { A } from './a.ts';`, true, '.ts'],
    ['imports without an ending', `import { A } from './a';`, true, ''],
    [
      'imports of code, whatever data comes before',
      `import info from './info.json' with { type: 'json' };\nimport { A } from './a.controller.js';`,
      true,
      '.js',
    ],
    ['ES modules that import data alone', `import info from './info.json';`, true, '.js'],
    ['imports without an ending, but a dot', `import { A } from './a.controller';`, true, ''],
    ['imports of what is CommonJS', `import { A } from './legacy.cjs';`, true, '.js'],
    ['imports of pages', `import { A } from './page.tsx';`, true, '.ts'],
    [
      'imports that are none, and one that is',
      `// import { A } from './a';\nimport { B } from './b.js';`,
      true,
      '.js',
    ],
  ])('imports the tool as in %s (KIT-02)', (_, line, isModule, extension) => {
    const source = `${IMPORT}\n${line}\n@Module({})\nexport class AppModule {}\n`;
    expect(edit(source, isModule)).toContain(`'./greeting.tools${extension}'`);
  });

  it('imports after statements over several lines (KIT-02)', () => {
    const source = `import {\n  Module,\n} from '@nestjs/common';\nimport './a.js'; // first\n\n@Module({})\nexport class AppModule {}\n`;
    expect(edit(source)).toContain(`import './a.js'; // first\n${ADDED}\n`);
  });

  it('changes nothing the second time, and adds what is missing (KIT-02)', () => {
    const once = edit(`${IMPORT}\n\n@Module({ providers: [] })\nexport class AppModule {}\n`);
    expect(edit(once)).toBe(once);
    const withoutTool = once.replace('[GreetingTools]', '[]');
    expect(edit(withoutTool)).toBe(once);
    const asynchronous = once.replace(
      /McpModule\.forRoot\([^)]*\)/,
      'McpModule.forRootAsync({ useClass: Options })',
    );
    expect(edit(asynchronous)).toBe(asynchronous);
  });

  it.each([
    ['no decorator', 'export class AppModule {}', 'has none'],
    ['two modules', '@Module({})\nclass A {}\n@Module({})\nclass B {}', 'has several'],
    ['a variable', '@Module(metadata)\nclass A {}', 'has none'],
    [
      'a list that is an expression',
      '@Module({ imports: [A].concat(B) })\nclass A {}',
      'The module\'s "imports"',
    ],
    ['a list that is a variable', '@Module({ providers: all })\nclass A {}', 'The module\'s "providers"'],
    ['a list in short', '@Module({ imports })\nclass A {}', 'may be defined elsewhere'],
    ['a list that may be spread', '@Module({ ...common })\nclass A {}', 'may be defined elsewhere'],
    ['a name in quotes', `@Module({ 'imports': [] })\nclass A {}`, 'may be defined elsewhere'],
    ['brackets that do not match', '@Module({ imports: [A) })\nclass A {}', 'do not match'],
    [
      'another "McpModule"',
      `import { McpModule } from '@other/mcp';\n@Module({})\nclass A {}`,
      'from "@other/mcp"',
    ],
  ])('refuses %s, and says what to write (KIT-02)', (_, rest, reason) => {
    const error = findError(() => edit(`${IMPORT}\n${rest}\n`));
    expect(error).toBeInstanceOf(ApplicationError);
    expect(error?.message).toContain(reason);
    expect(error?.byHand).toContain(`imports: [${SERVER}],`);
    expect(error?.byHand).toContain('providers: [GreetingTools],');
  });
});

function findError(action: () => unknown): ApplicationError | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error as ApplicationError;
  }
}
