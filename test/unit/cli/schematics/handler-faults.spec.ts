import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ESM, ORDERS_MODULE } from './applications.js';
import { createTree, readFiles, runSchematic } from './schematic-runner.js';

beforeEach(() => void jest.spyOn(process, 'cwd').mockReturnValue(tmpdir()));
afterEach(() => void jest.restoreAllMocks());

async function expectFault(kind: string, options: object, expected: RegExp | string, changed: object = {}) {
  const tree = createTree({ ...ESM, ...changed });
  const before = readFiles(tree);
  await expect(runSchematic(kind, options, tree)).rejects.toThrow(expected);
  expect(readFiles(tree)).toEqual(before);
}

describe('A generator refuses, and changes nothing,', () => {
  it.each([
    ['1order', 'cannot be the name of a class'],
    ['order!', 'cannot be the name of a class'],
    ['ördnung', 'cannot be the name of a class'],
    ['order--line', 'cannot be the name of a class'],
    ['   ', 'A name is required'],
    ['delete', 'is a reserved name'],
    ['orders/class', 'is a reserved name'],
    ['constructor', 'is a reserved name'],
    ['onModuleInit', 'is a reserved name'],
    ['../order', 'remove ".."'],
    ['.. /order', 'remove ".."'],
    ['sales/..\u00a0/order', 'remove ".."'],
    ["o'brien/order", 'must not contain quotes: use "obrien/order"'],
    ['o'.repeat(65), 'Hosts would reject'],
  ])('the name "%s" (WAY-01)', async (name, reason) => {
    await expectFault('tool', { name }, reason);
  });

  it('a folder outside of the sources, and names it (WAY-01)', async () => {
    await expectFault(
      'tool',
      { name: 'order', path: '../sales' },
      '"../sales/order" must be inside the source folder',
    );
  });

  it('the name of an app whose tool hosts would refuse (WAY-01)', async () => {
    await expectFault('app', { name: 'o'.repeat(60) }, 'Hosts would reject');
  });

  it.each(['extension', 'identity-provider'])('the same names for an %s (WAY-01)', async (kind) => {
    await expectFault(kind, { name: 'new' }, 'is a reserved name');
    await expectFault(kind, { name: '1order' }, 'cannot be the name of a class');
  });

  it('no name at all (WAY-01)', async () => {
    await expectFault('tool', {}, /name/);
  });

  it('another language (WAY-01)', async () => {
    await expectFault('tool', { name: 'order', language: 'js' }, 'must be "ts"');
  });

  it('an application without a module (WAY-01)', async () => {
    const tree = createTree({ ...ESM });
    tree.delete('src/app.module.ts');
    const before = readFiles(tree);
    await expect(runSchematic('tool', { name: 'order' }, tree)).rejects.toThrow('pass "--skip-import"');
    expect(readFiles(tree)).toEqual(before);
    await expectFault('tool', { name: 'order', module: 'orders' }, '"orders.module.ts" does not exist');
  });

  it.each([
    ['has no decorator', 'export class AppModule {}', 'has none'],
    [
      'has brackets that do not match',
      `import { Module } from '@nestjs/common';\n@Module({ providers: [ )`,
      'do not match',
    ],
    [
      'has a list that is an expression',
      ORDERS_MODULE.replace('{}', '{ providers: all() }'),
      'is a different expression',
    ],
  ])('a module that %s, and says what to write (WAY-01)', async (_, module, reason) => {
    await expectFault('tool', { name: 'order' }, reason, { 'src/app.module.ts': module });
    await expectFault('tool', { name: 'order' }, 'providers: [OrderTool],', { 'src/app.module.ts': module });
  });

  it('a class that comes from elsewhere (WAY-01)', async () => {
    const module = ESM['src/app.module.ts'] ?? '';
    const imported = module.replace('\n\n', `\nimport { OrderTool } from './legacy.js';\n\n`);
    await expectFault('tool', { name: 'order' }, 'imports it from "./legacy.js"', {
      'src/app.module.ts': imported,
    });
    const declared = `${module}\nclass OrderTool {}\n`;
    await expectFault('tool', { name: 'order' }, 'declares one itself', { 'src/app.module.ts': declared });
  });

  it('a class that has the name of what its file imports (WAY-01)', async () => {
    await expectFault('template', { name: 'resource' }, '"ResourceTemplate"');
  });

  it.each([
    ['tool', 'Tool', `name: 'order'`],
    ['resource', 'Resource', `uri: 'shop://order'`],
    ['prompt', 'Prompt', `name: "order"`],
    ['event-source', 'EventSource', 'name: `order`'],
    ['skill', 'Skill', `name: 'order'`],
    ['app', 'App', `name: 'order'`],
  ])('a %s that clients know by the same as another one (WAY-01)', async (kind, decorator, member) => {
    const other = `@Injectable()\nexport class Other {\n  @${decorator}({ ${member} })\n  other() {}\n}\n`;
    await expectFault(kind, { name: 'order' }, 'src/sales/other.ts', { 'src/sales/other.ts': other });
  });

  it('a tool that another method is called like (WAY-01)', async () => {
    const other = `  @Tool({ description: 'Greets (by name)', inputSchema: Guest })\n  greet({ name }: Guest) {}\n`;
    const files = { 'src/greeting.tools.ts': `export class Other {\n${other}}\n` };
    await expectFault('tool', { name: 'greet' }, 'src/greeting.tools.ts', files);
    const named = { 'src/greeting.tools.ts': other.replace('{ desc', "{ name: 'hello', desc") };
    const { tree } = await runSchematic('tool', { name: 'greet' }, { ...ESM, ...named });
    expect(tree.files).toContain('/src/greet/greet.tool.ts');
  });

  it('a test that would lie elsewhere (WAY-01)', async () => {
    const reason =
      '"--spec-file-suffix" must consist of letters, digits, ".", "_" and "-", such as "spec", but is "../spec"';
    await expectFault('tool', { name: 'order', specFileSuffix: '../spec' }, reason);
  });

  it('a kind that there is not (WAY-01)', async () => {
    await expectFault('tools', { name: 'order' }, '"tools"');
  });
});
