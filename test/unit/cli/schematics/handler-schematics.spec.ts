import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { check, type Options } from 'prettier';
import { HANDLER_KINDS } from '../../../../cli/generators/handler-kinds.js';
import { COMMONJS, ESM, formatModule, MONOREPO, ORDERS_MODULE } from './applications.js';
import { readFiles, runSchematic } from './schematic-runner.js';

const KINDS = Object.keys(HANDLER_KINDS) as (keyof typeof HANDLER_KINDS)[];

/** As the Nest CLI writes it. */
const PRETTIER: Options = { singleQuote: true, trailingComma: 'all', parser: 'typescript' };

const withZod = (files: Readonly<Record<string, string>>) => ({
  ...files,
  'package.json': (files['package.json'] ?? '').replace(
    '"version"',
    '"dependencies": { "zod": "^4.2.0" },\n  "version"',
  ),
});

// What is installed here must not count: neither zod nor Prettier is above this folder.
beforeEach(() => void jest.spyOn(process, 'cwd').mockReturnValue(tmpdir()));
afterEach(() => void jest.restoreAllMocks());

describe.each(KINDS)('The generator "%s"', (kind) => {
  it.each([
    ['ES modules', ESM, '.js'],
    ['CommonJS', COMMONJS, ''],
  ])('writes a handler and its test, and provides it, in %s (WAY-01)', async (_, files, extension) => {
    const { tree } = await runSchematic(kind, { name: 'create-order' }, files);
    const after = readFiles(tree);
    const stem = `src/create-order/create-order.${kind}`;
    const className = `CreateOrder${kind
      .split('-')
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('')}`;
    expect(after[`${stem}.ts`]).toContain(`export class ${className} `);
    expect(after[`${stem}.spec.ts`]).toContain(`from './create-order.${kind}${extension}';`);
    expect(after[`${stem}.spec.ts`]?.includes('vitest')).toBe(extension === '.js');
    expect(after['src/app.module.ts']).toContain(`from './create-order/create-order.${kind}${extension}';`);
    expect(after['src/app.module.ts']).toContain(`providers: [AppService, ${className}]`);
  });

  it.each([
    ['zod', withZod],
    ['JSON Schema', (files: typeof ESM) => files],
  ])('writes as Prettier does, with %s (WAY-01)', async (_, change) => {
    for (const files of [ESM, COMMONJS]) {
      const { tree } = await runSchematic(kind, { name: 'create-order' }, change(files));
      const written = Object.entries(readFiles(tree)).filter(([path]) => path.endsWith('.ts'));
      for (const [path, text] of written) {
        expect({ path, isFormatted: await check(text, PRETTIER) }).toEqual({ path, isFormatted: true });
      }
    }
  });

  it('writes where flags, paths and projects say (WAY-01)', async () => {
    const list = async (options: object, files = ESM) => {
      const { tree } = await runSchematic(kind, options, files);
      return tree.files.filter((path) => path.includes('order'));
    };
    const ends = (place: string, suffix = 'spec') =>
      [
        `${place}.${kind}.${suffix}.ts`,
        `${place}.${kind}.ts`,
        ...(kind === 'app' ? [`${place}.page.ts`] : []),
      ].toSorted();
    const sorted = async (options: object, files = ESM) => (await list(options, files)).toSorted();
    expect(await sorted({ name: 'order', flat: true })).toEqual(ends('/src/order'));
    expect(await sorted({ name: 'sales/createOrder' })).toEqual(ends('/src/sales/create-order/create-order'));
    expect(await sorted({ name: 'order', path: 'sales', flat: true })).toEqual(ends('/src/sales/order'));
    expect(await sorted({ name: 'order', flat: true, specFileSuffix: 'test' })).toEqual(
      ends('/src/order', 'test'),
    );
    expect(await sorted({ name: 'order', flat: true, spec: false })).toEqual(
      ends('/src/order').filter((path) => !path.endsWith('.spec.ts')),
    );
    expect(await sorted({ name: 'order', flat: true, sourceRoot: 'apps/desk/src' }, MONOREPO)).toEqual(
      ends('/apps/desk/src/order'),
    );
  });

  it('changes no module if it shall not (WAY-01)', async () => {
    const { tree } = await runSchematic(kind, { name: 'order', skipImport: true }, ESM);
    expect(readFiles(tree)['src/app.module.ts']).toBe(ESM['src/app.module.ts']);
  });

  it('adds the handler once (WAY-01)', async () => {
    const first = await runSchematic(kind, { name: 'order' }, ESM);
    const module = first.tree.readContent('src/app.module.ts');
    for (const path of first.tree.files.filter((one) => one.includes('/order/'))) first.tree.delete(path);
    const second = await runSchematic(kind, { name: 'order' }, first.tree);
    expect(second.tree.readContent('src/app.module.ts')).toBe(module);
  });

  it('refuses what is there already, and changes nothing (WAY-01)', async () => {
    const { tree } = await runSchematic(kind, { name: 'order', spec: false }, ESM);
    const before = readFiles(tree);
    await expect(runSchematic(kind, { name: 'order' }, tree)).rejects.toThrow(/already/);
    expect(readFiles(tree)).toEqual(before);
  });
});

describe('The module of a handler', () => {
  const NESTED = { ...ESM, 'src/orders/orders.module.ts': ORDERS_MODULE };

  it('is the nearest one above (WAY-01)', async () => {
    const { tree } = await runSchematic('tool', { name: 'orders/admin/create-order' }, NESTED);
    expect(tree.readContent('src/orders/orders.module.ts')).toContain(
      `import { CreateOrderTool } from './admin/create-order/create-order.tool.js';`,
    );
    expect(tree.readContent('src/app.module.ts')).toBe(ESM['src/app.module.ts']);
  });

  it.each(['src/orders/orders.module.ts', 'orders/orders.module.ts', 'orders/orders'])(
    'is the one that "%s" names (WAY-01)',
    async (module) => {
      const { tree } = await runSchematic('tool', { name: 'create-order', module }, NESTED);
      expect(tree.readContent('src/orders/orders.module.ts')).toContain(
        `'../create-order/create-order.tool.js'`,
      );
    },
  );

  it('has the handler belong to the server of its other handlers (WAY-01)', async () => {
    const feature = `import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { OrdersTool } from './orders.tool.js';

@Module({
  imports: [McpModule.forFeature({ server: 'admin', providers: [OrdersTool] })],
  providers: [OrdersTool],
})
export class OrdersModule {}
`;
    const { tree } = await runSchematic(
      'tool',
      { name: 'orders/close' },
      { ...ESM, 'src/orders/orders.module.ts': feature },
    );
    const after = tree.readContent('src/orders/orders.module.ts');
    expect(after).toContain(`forFeature({ server: 'admin', providers: [OrdersTool, CloseTool] })`);
    expect(after).toContain('providers: [OrdersTool, CloseTool],');
    const byTags = feature.replace('providers: [OrdersTool] })', "includeTags: ['admin'] })");
    const tagged = await runSchematic(
      'tool',
      { name: 'orders/close' },
      { ...ESM, 'src/orders/orders.module.ts': byTags },
    );
    expect(tagged.tree.readContent('src/orders/orders.module.ts')).toContain(
      `forFeature({ server: 'admin', includeTags: ['admin'] })`,
    );
  });
});

describe('The options of the server', () => {
  const read = async (kind: string, files: Readonly<Record<string, string>> = ESM) => {
    const { tree, warnings } = await runSchematic(kind, { name: 'order' }, files);
    return { module: tree.readContent('src/app.module.ts'), warnings };
  };
  const ofOptions = (options: string) => ({ ...ESM, 'src/app.module.ts': formatModule('.js', options) });

  it('say that events are served (WAY-01)', async () => {
    expect((await read('event-source')).module).toContain(
      `version: '0.0.1' },\n      events: true,\n    }),`,
    );
    const files = ofOptions('\n      events: { logSize: 10 },');
    expect((await read('event-source', files)).module).toContain('      events: { logSize: 10 },\n    }),');
  });

  it('name the validator (WAY-01)', async () => {
    const option = 'auth: { validator: OrderIdentityProvider }';
    expect((await read('identity-provider')).module).toContain(`      ${option},\n    }),`);
    const files = ofOptions(`\n      auth: { requiredScopes: ['desk:read'] },`);
    expect((await read('identity-provider', files)).module).toContain(
      `auth: { requiredScopes: ['desk:read'], validator: OrderIdentityProvider },`,
    );
  });

  it('are those of another module (WAY-01)', async () => {
    const files = { ...ESM, 'src/orders/orders.module.ts': ORDERS_MODULE };
    const { tree } = await runSchematic('identity-provider', { name: 'orders/keys' }, files);
    expect(tree.readContent('src/orders/orders.module.ts')).toContain('providers: [KeysIdentityProvider]');
    expect(tree.readContent('src/app.module.ts')).toContain(
      `import { KeysIdentityProvider } from './orders/keys/keys.identity-provider.js';`,
    );
  });

  it('are left to their author where they are not written out (WAY-01)', async () => {
    for (const call of [
      'forRoot(options)',
      'forRootAsync({ useClass: Options })',
      'forRoot({ ...options })',
    ]) {
      const module = (ESM['src/app.module.ts'] ?? '').replace(/forRoot\(\{[^]*?\}\),/, `${call},`);
      const { warnings } = await read('event-source', { ...ESM, 'src/app.module.ts': module });
      expect(warnings.join('\n')).toContain('Add "events: true" to the server options');
    }
    const off = await read('event-source', ofOptions('\n      events: false,'));
    expect(off.warnings.join('\n')).toContain('Add "events: true"');
  });

  it('are missed where nothing serves the handler (WAY-01)', async () => {
    const { warnings } = await read('tool', { ...ESM, 'src/app.module.ts': ORDERS_MODULE });
    expect(warnings.join('\n')).toContain('no server offers this handler yet');
  });

  it('are missed where only a server of another package is (WAY-01)', async () => {
    const module = (ESM['src/app.module.ts'] ?? '').replace("'nestjs-mcp'", "'@rekog/mcp-nest'");
    const { warnings } = await read('tool', { ...ESM, 'src/app.module.ts': module });
    expect(warnings.join('\n')).toContain('no server offers this handler yet');
  });

  it('have one validator (WAY-01)', async () => {
    const files = ofOptions('\n      auth: { validator: KeyValidator },');
    await expect(read('identity-provider', files)).rejects.toThrow('is "KeyValidator"');
  });
});

describe('What tests of handlers need', () => {
  it('is added to the dependencies, and installed (WAY-01)', async () => {
    const { tree, tasks, warnings } = await runSchematic(
      'tool',
      { name: 'order' },
      { ...ESM, 'pnpm-lock.yaml': '' },
    );
    expect(warnings.join()).toContain(
      'Added to package.json: "@modelcontextprotocol/client"; it is being installed (pass "--no-spec" to omit the test and its dependencies)',
    );
    expect(tree.readContent('package.json')).toContain('"@modelcontextprotocol/client": "^2.4.0"');
    expect(tree.readContent('package.json')).not.toContain('@swc/jest');
    expect(tasks).toEqual([
      {
        name: 'node-package',
        options: expect.objectContaining({ command: 'install', packageManager: 'pnpm' }),
      },
    ]);
    const without = await runSchematic('tool', { name: 'order', spec: false }, ESM);
    expect(without.tree.readContent('package.json')).toBe(ESM['package.json']);
    expect(without.tasks).toEqual([]);
    expect(without.warnings.join()).not.toContain('Added to package.json');
    const skipped = await runSchematic('tool', { name: 'order', skipInstall: true }, ESM);
    expect(skipped.tasks).toEqual([]);
    expect(skipped.warnings.join()).toContain(
      '"@modelcontextprotocol/client"; install it before you continue',
    );
  });

  it('has Jest compile the package in CommonJS (WAY-01)', async () => {
    const { tree } = await runSchematic('tool', { name: 'order' }, COMMONJS);
    expect(tree.readContent('package.json')).toContain('"@swc/jest"');
    expect(tree.readContent('test/jest-e2e.json')).toContain('nestjs-mcp');
  });
});
