import { describe, expect, it } from '@jest/globals';
import { migrateFiles, type Files } from './migrate-files.js';

const SHOP = `import { Tool, type Context } from '@rekog/mcp-nest';
export class Shop {
  @Tool({ name: 'order' })
  order(args: unknown, context: Context) {}
}
`;

async function migrateTest(body: string, { head = '', others = {} }: { head?: string; others?: Files } = {}) {
  const path = 'src/shop.spec.ts';
  const { files } = await migrateFiles({
    'src/shop.ts': SHOP,
    [path]: `${head}import { Shop } from './shop';\n\n${body}\n`,
    ...others,
  });
  return files[path]?.split('\n\n').slice(1).join('\n\n').trimEnd() ?? '';
}

const TYPED = `import type { Context } from '@rekog/mcp-nest';\n`;

describe('A context that a test makes', () => {
  it.each([
    ['of any type', '', `const context = { mcpRequest: { params: {} } } as any;`],
    ['as a member that is given later', '', 'context.reportProgress = jest.fn();'],
    ['as a class', '', 'class FakeContext {\n  reportProgress() {}\n}'],
    [
      'with several levels',
      TYPED,
      'const context = { log: { info: jest.fn(), warn: jest.fn() } } as unknown as Context;',
    ],
    [
      'whose arguments are checked otherwise',
      '',
      'const reportProgress = jest.fn();\nuse({ reportProgress });\nexpect(reportProgress).toHaveBeenCalledWith(expect.anything());',
    ],
    ['with a part of its type', TYPED, 'const context: Partial<Context> = { mcpServer };'],
  ])('%s is left to a person', async (_how, head, body) => {
    const migrated = await migrateTest(body, { head });
    expect(migrated).toMatch(
      /\/\/ TODO\(nestjs-mcp\): A test mocks this context.*from-mcp-nest\.md#context\n/,
    );
    expect(migrated.match(/TODO/g)).toHaveLength(1);
  });

  it.each([
    ['without a type', '', 'use({ reportProgress: jest.fn() });', 'use({ progress: jest.fn() });'],
    [
      'as the argument of a handler',
      '',
      'await new Shop().order({}, { reportProgress });',
      'await new Shop().order({}, { progress: reportProgress });',
    ],
    [
      'with one level',
      TYPED,
      'const context = { log: { info: jest.fn() } } as unknown as Context;',
      'const context = { log: jest.fn() } as unknown as McpContext;',
    ],
    [
      'by a constant',
      '',
      `const reportProgress = vi.fn();
use({ reportProgress });
expect(reportProgress).toHaveBeenNthCalledWith(1, { progress: 1, total: 2 });
expect(reportProgress).not.toHaveBeenCalledWith({ progress: 3, message: 'x' });
expect(reportProgress).toHaveBeenCalledTimes(1);`,
      `const reportProgress = vi.fn();
use({ progress: reportProgress });
expect(reportProgress).toHaveBeenNthCalledWith(1, 1, 2);
expect(reportProgress).not.toHaveBeenCalledWith(3, undefined, 'x');
expect(reportProgress).toHaveBeenCalledTimes(1);`,
    ],
    [
      'by its member',
      TYPED,
      `const context = { reportProgress: jest.fn() } as unknown as Context;
expect(context.reportProgress).toHaveBeenLastCalledWith({ progress: 1 });
expect(context.reportProgress).toHaveBeenCalledTimes(1);`,
      `const context = { progress: jest.fn() } as unknown as McpContext;
expect(context.progress).toHaveBeenLastCalledWith(1);
expect(context.progress).toHaveBeenCalledTimes(1);`,
    ],
    [
      'in a variable of any type',
      '',
      `let context: any;
beforeEach(() => {
  context = { reportProgress: jest.fn().mockResolvedValue(undefined) };
});
it('reports', async () => {
  context.reportProgress.mockClear();
  await new Shop().order({}, context);
  expect(context.reportProgress).toHaveBeenCalledWith({ progress: 1, total: 2 });
  expect(context.reportProgress).toHaveBeenCalledTimes(1);
});`,
      `let context: any;
beforeEach(() => {
  context = { progress: jest.fn().mockResolvedValue(undefined) };
});
it('reports', async () => {
  context.progress.mockClear();
  await new Shop().order({}, context);
  expect(context.progress).toHaveBeenCalledWith(1, 2);
  expect(context.progress).toHaveBeenCalledTimes(1);
});`,
    ],
    [
      'from a function',
      '',
      `const mock = () => ({ reportProgress: vi.fn() }) as never;
const context = mock();
expect(context.reportProgress).not.toHaveBeenCalledWith({ progress: 1 });`,
      `const mock = () => ({ progress: vi.fn() }) as never;
const context = mock();
expect(context.progress).not.toHaveBeenCalledWith(1);`,
    ],
  ])('is rewritten with what is expected of it: %s', async (_how, head, body, expected) => {
    expect(await migrateTest(body, { head })).toBe(expected);
  });

  it('is rewritten with what another file expects of it', async () => {
    const migrated = await migrateTest(
      'expect(context.reportProgress).toHaveBeenCalledWith({ progress: 1 });',
      {
        head: `import { context } from '../test/context';\n`,
        others: { 'test/context.ts': 'export const context: any = { reportProgress: jest.fn() };\n' },
      },
    );
    expect(migrated).toBe('expect(context.progress).toHaveBeenCalledWith(1);');
  });

  it('is left to a person with what is expected of it', async () => {
    const body = `const context = { reportProgress: jest.fn(), mcpServer } as any;
expect(context.reportProgress).toHaveBeenCalledWith({ progress: 1 });`;
    expect((await migrateTest(body)).split('\n').slice(1).join('\n')).toBe(body);
  });

  it('is marked once, and not by a second run', async () => {
    const first = await migrateTest(
      'const context = { reportProgress, log: { info() {} } } as unknown as Context;',
      {
        head: TYPED,
      },
    );
    expect(first.match(/TODO/g)).toHaveLength(1);
    expect(await migrateTest(first)).toBe(first);
  });

  it.each([
    ['of this package', 'const context = { progress: jest.fn() };'],
    ['whose progress is only read', 'expect(other.reportProgress).toBe(1);'],
  ])('%s stays as it is', async (_what, body) => {
    expect(await migrateTest(body)).toBe(body);
  });

  it('is nothing that the code itself has under the same name', async () => {
    const path = 'src/report.ts';
    const text = 'export const options = { reportProgress: true };\n';
    const { files } = await migrateFiles({ 'src/shop.ts': SHOP, [path]: text });
    expect(files[path]).toBe(text);
  });
});

const GUARD = `export class OfficeGuard {
  canActivate(context) {
    return context.getType() === 'TYPE';
  }
}
`;

const guarded = (decorator: string) => `import { UseGuards } from '@nestjs/common';
import { Tool, ${decorator === 'ToolGuards' ? 'ToolGuards' : 'McpController'} } from '@rekog/mcp-nest';
import { OfficeGuard } from './office.guard';
${decorator === 'ToolGuards' ? '' : '@McpController()'}
export class Shop {
  @Tool({ name: 'order' })
  @${decorator}(${decorator === 'ToolGuards' ? '[OfficeGuard]' : 'OfficeGuard'})
  order() {}
}
`;

describe('An execution context that a test makes', () => {
  it.each([
    [2, 'rpc', 'UseGuards', `const context = { getType: () => 'rpc' };`],
    [2, 'rpc', 'UseGuards', `const context = { switchToRpc: () => ({ getData: () => ({}) }) };`],
    [2, 'rpc', 'UseGuards', `const context = { getType: jest.fn().mockReturnValue('rpc') };`],
    [1, 'http', 'ToolGuards', `const context = { getType: () => 'http' };`],
  ])('is left to a person, in %i.x with "%s"', async (_release, type, decorator, body) => {
    const migrated = await migrateTest(body, {
      head: `import { OfficeGuard } from './office.guard';\n`,
      others: { 'src/shop.ts': guarded(decorator), 'src/office.guard.ts': GUARD.replace('TYPE', type) },
    });
    expect(migrated).toMatch(
      /^\/\/ TODO\(nestjs-mcp\): A test mocks this execution context.*from-mcp-nest\.md#guards\n/,
    );
    expect(migrated.endsWith(body)).toBe(true);
  });

  it('of pages stays as it is', async () => {
    const body = `const context = { getType: () => 'http' };`;
    const others = {
      'src/shop.ts': guarded('ToolGuards'),
      'src/office.guard.ts': GUARD.replace('TYPE', 'http'),
    };
    expect(await migrateTest(body, { others: { ...others, 'src/page.guard.ts': GUARD } })).toBe(body);
  });
});
