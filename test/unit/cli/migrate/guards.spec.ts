import { describe, expect, it } from '@jest/globals';
import { migrateFiles, type Files } from './migrate-files.js';

const TOOLS = `import { UseGuards } from '@nestjs/common';
import { McpController, Tool } from '@rekog/mcp-nest';
import { OfficeGuard } from './office.guard';

@McpController()
@UseGuards(OfficeGuard)
export class Shop {
  @Tool({ name: 'order' })
  order() {}
}
`;

const GUARD = `import type { CanActivate, ExecutionContext } from '@nestjs/common';

export class OfficeGuard implements CanActivate {
  canActivate(context: ExecutionContext) {
    if (context.getType() !== 'rpc') return false;
    return true;
  }
}
`;

async function migrateGuard(guard: string, others: Files = {}): Promise<string> {
  const { files } = await migrateFiles({ 'src/shop.ts': TOOLS, 'src/office.guard.ts': guard, ...others });
  return files['src/office.guard.ts'] ?? '';
}

describe('A guard of handlers of 2.x', () => {
  it('asks for the type "mcp"', async () => {
    expect(await migrateGuard(GUARD)).toBe(
      GUARD.replace(`getType() !== 'rpc'`, `getType<string>() !== 'mcp'`),
    );
  });

  it('asks for it by a constant and in a case', async () => {
    const guard = GUARD.replace(
      /if .*/,
      `const type = context.getType<ContextType>();
    if ('rpc' === type) return true;
    switch (type) {
      case "rpc":
        return false;
    }`,
    );
    const migrated = await migrateGuard(guard);
    expect(migrated).toContain(`const type = context.getType<string>();\n    if ('mcp' === type)`);
    expect(migrated).toContain(`case "mcp":`);
  });

  it('is left to a person if the application has handlers of other microservices too', async () => {
    const migrated = await migrateGuard(GUARD, {
      'src/queue.ts': `import { EventPattern } from '@nestjs/microservices';
export class Queue {
  @EventPattern('sold')
  hear() {}
}
`,
    });
    expect(migrated).toMatch(
      /\n {4}\/\/ TODO\(nestjs-mcp\): .*"mcp".*from-mcp-nest\.md#guards\n {4}if \(context\.getType\(\) !== 'rpc'\)/,
    );
  });

  it('is left to a person if no handler names it', async () => {
    const { files } = await migrateFiles({
      'src/shop.ts': TOOLS.replaceAll(/.*OfficeGuard.*\n/g, ''),
      'src/office.guard.ts': GUARD,
    });
    expect(files['src/office.guard.ts']).toMatch(
      /TODO\(nestjs-mcp\): .*\n {4}if \(context\.getType\(\) !== 'rpc'\)/,
    );
  });

  it('is left to a person where it calls "switchToRpc()"', async () => {
    const guard = GUARD.replace(/if .*/, 'const { item } = context.switchToRpc().getData();');
    expect(await migrateGuard(guard)).toMatch(
      /TODO\(nestjs-mcp\): "switchToRpc\(\)" .*\n {4}const \{ item \} = context\.switchToRpc/,
    );
  });

  it('asks for the type "mcp" if a decorator of the application brings it', async () => {
    const { files } = await migrateFiles({
      'src/shop.ts': TOOLS.replace('@UseGuards(OfficeGuard)', '@Office()').replace(
        /import \{ OfficeGuard .*/,
        `import { Office } from './office';`,
      ),
      'src/office.ts': `import { applyDecorators, UseGuards } from '@nestjs/common';
import { OfficeGuard } from './office.guard';
export const Office = () => applyDecorators(UseGuards(OfficeGuard));
`,
      'src/office.guard.ts': GUARD,
    });
    expect(files['src/office.guard.ts']).toContain(`getType<string>() !== 'mcp'`);
  });

  const OFFICE = `import { applyDecorators, UseGuards } from '@nestjs/common';
import { OfficeGuard } from './office.guard';
`;

  it.each<[string, Files]>([
    [
      'a decorator that such a decorator is composed of',
      {
        'src/office.ts': `import { applyDecorators } from '@nestjs/common';
import { Guarded } from './guarded';
export function Office() {
  return applyDecorators(Guarded());
}
`,
        'src/guarded.ts': `${OFFICE}export const Guarded = () => applyDecorators(UseGuards(OfficeGuard));\n`,
      },
    ],
    [
      'a list of decorators',
      {
        'src/office.ts': `import { applyDecorators } from '@nestjs/common';
import { GUARDED } from './guarded';
export const Office = () => applyDecorators(...GUARDED);
`,
        'src/guarded.ts': `${OFFICE}export const GUARDED = [UseGuards(OfficeGuard)];\n`,
      },
    ],
    [
      'a list of guards',
      {
        'src/office.ts': `import * as nest from '@nestjs/common';
import { GUARDS } from './guarded';
export const Office = () => nest.UseGuards(...GUARDS);
`,
        'src/guarded.ts': `import { OfficeGuard } from './office.guard';\nexport const GUARDS = [OfficeGuard];\n`,
      },
    ],
    [
      'a guard that extends it',
      {
        'src/office.ts': `import { UseGuards } from '@nestjs/common';
import { StrictGuard } from './strict.guard';
export const Office = () => UseGuards(StrictGuard);
`,
        'src/strict.guard.ts': `import { OfficeGuard } from './office.guard';\nexport class StrictGuard extends OfficeGuard {}\n`,
      },
    ],
  ])('asks for the type "mcp" if %s brings it', async (_what, others) => {
    const { files } = await migrateFiles({
      'src/shop.ts': TOOLS.replace('@UseGuards(OfficeGuard)', '@Office()').replace(
        /import \{ OfficeGuard .*/,
        `import { Office } from './office';`,
      ),
      'src/office.guard.ts': GUARD,
      ...others,
    });
    expect(files['src/office.guard.ts']).toContain(`getType<string>() !== 'mcp'`);
  });

  it.each([`type.startsWith('rpc')`, `['http', 'rpc'].includes(type)`])(
    'is left to a person where it asks by "%s"',
    async (question) => {
      const guard = GUARD.replace(
        /if .*/,
        `const type = context.getType();\n    if (${question}) return false;`,
      );
      expect(await migrateGuard(guard)).toMatch(/TODO\(nestjs-mcp\): .*"rpc".*#guards\n {4}if \(/);
    },
  );
});

describe('A guard of handlers of 1.x', () => {
  it('is left to a person where it asks for the type "http"', async () => {
    const { files } = await migrateFiles({
      'src/shop.ts': `import { Tool, ToolGuards } from '@rekog/mcp-nest';
import { OfficeGuard } from './office.guard';
export class Shop {
  @Tool({ name: 'order' })
  @ToolGuards([OfficeGuard])
  order() {}
}
`,
      'src/office.guard.ts': GUARD.replaceAll('rpc', 'http'),
      'src/page.guard.ts': GUARD.replaceAll('rpc', 'http').replace('OfficeGuard', 'PageGuard'),
    });
    expect(files['src/office.guard.ts']).toMatch(
      /TODO\(nestjs-mcp\): .*"http".*from-mcp-nest\.md#guards\n {4}if \(context\.getType\(\) !== 'http'\)/,
    );
    expect(files['src/page.guard.ts']).not.toContain('TODO');
  });

  it.each([
    ['a decorator that is composed', `applyDecorators(Tool({ name: 'order' }), ToolGuards([OfficeGuard]))`],
    [
      'a decorator that is composed with guards of Nest',
      `applyDecorators(Tool({ name: 'order' }), UseGuards(OfficeGuard))`,
    ],
  ])('is left to a person if %s brings it', async (_what, composed) => {
    const { files } = await migrateFiles({
      'src/shop.ts': `import type { Context } from '@rekog/mcp-nest';
import { OfficeTool } from './office';
export class Shop {
  @OfficeTool()
  order(args: unknown, context) {
    return context.reportProgress({ progress: 1 });
  }
}
`,
      'src/office.ts': `import { applyDecorators, UseGuards } from '@nestjs/common';
import { Tool, ToolGuards } from '@rekog/mcp-nest';
import { OfficeGuard } from './office.guard';
const compose = () => ${composed};
export const OfficeTool = () => applyDecorators(compose());
`,
      'src/office.guard.ts': GUARD.replaceAll('rpc', 'http'),
    });
    expect(files['src/office.guard.ts']).toMatch(/TODO\(nestjs-mcp\): .*"http".*from-mcp-nest\.md#guards/);
    expect(files['src/shop.ts']).toContain('return context.progress(1)');
  });
});
