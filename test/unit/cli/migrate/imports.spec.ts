import { describe, expect, it } from '@jest/globals';
import { migrateFiles, migrateSource } from './migrate-files.js';

describe('Imports', () => {
  it('keep the aliases that the file has chosen', async () => {
    const migrated =
      await migrateSource(`import { Tool as T, PublicTool as Open, type Context as C } from "@rekog/mcp-nest"
class A {
  @T({ name: 'a' })
  @Open()
  a(args, context: C) {}
}
`);
    expect(migrated).toContain(
      `import { Tool as T, Public as Open, type McpContext as C } from "nestjs-mcp"`,
    );
    expect(migrated).toContain(`  @T({ name: 'a' })\n  @Open()\n  a(args, context: C) {}`);
  });

  it('do not hide names that the file has', async () => {
    const migrated = await migrateSource(`import { Public } from './auth';
import { PublicTool, Tool } from '@rekog/mcp-nest';
class A {
  @Public()
  @Tool({ name: 'a' })
  @PublicTool()
  a() {}
}
`);
    expect(migrated).toContain(`import { Public as PublicFromMcp, Tool } from 'nestjs-mcp';`);
    expect(migrated).toContain(`  @Public()\n  @Tool({ name: 'a' })\n  @PublicFromMcp()\n`);
  });

  it('of the whole package keep their name', async () => {
    const migrated = await migrateSource(`import * as mcp from '@rekog/mcp-nest';
class A {
  @mcp.Tool({ name: 'a', parameters: S })
  @mcp.PublicTool()
  @mcp.ToolGuards([G])
  a(args: unknown, context: mcp.Context) {}
}
`);
    expect(migrated).toBe(`import * as mcp from 'nestjs-mcp';
import { UseGuards } from '@nestjs/common';
class A {
  @mcp.Tool({ name: 'a', inputSchema: S })
  @mcp.Public()
  @UseGuards(G)
  a(args: unknown, context: mcp.McpContext) {}
}
`);
  });

  it('of CommonJS are rewritten too', async () => {
    const migrated = await migrateSource(
      `'use strict';
const { Tool, PublicTool, McpModule: M } = require('@rekog/mcp-nest');
exports.server = M.forRoot({ name: 'a', version: '1', transport: 'stdio' });
class A {
  @Tool({ name: 'a', parameters: {} })
  @PublicTool()
  a() {}
}
`,
      'src/app.cjs',
    );
    expect(migrated).toBe(`'use strict';
const { Tool, Public: PublicTool, McpModule: M } = require('nestjs-mcp');
exports.server = M.forRoot({ serverInfo: { name: 'a', version: '1' } });
class A {
  @Tool({ name: 'a', inputSchema: {} })
  @PublicTool()
  a() {}
}
`);
  });

  it('by "import x = require()" keep their form', async () => {
    const migrated = await migrateSource(`import mcp = require('@rekog/mcp-nest');
export const server = mcp.McpModule.forRoot({ name: 'a', version: '1', transport: 'stdio' });
`);
    expect(migrated).toBe(`import mcp = require('nestjs-mcp');
export const server = mcp.McpModule.forRoot({ serverInfo: { name: 'a', version: '1' } });
`);
  });

  it('of types stay imports of types', async () => {
    const migrated =
      await migrateSource(`import type { Context, McpOptions, McpAsyncOptions } from '@rekog/mcp-nest';
export type Both = Context & McpOptions & McpAsyncOptions;
`);
    expect(migrated).toBe(`import type { McpContext, McpOptions } from 'nestjs-mcp';
export type Both = McpContext & McpOptions & McpOptions;
`);
  });

  it('go through files that export names again', async () => {
    const { files } = await migrateFiles({
      'src/mcp.ts': `export { Tool, PublicTool, ToolGuards, type Context } from '@rekog/mcp-nest';\n`,
      'src/all.ts': `export * from '@rekog/mcp-nest';\n`,
      'src/app.ts': `import { Tool, PublicTool, type Context } from './mcp';
class A {
  @Tool({ name: 'a', parameters: S })
  @PublicTool()
  async a(args: unknown, context: Context, request: unknown) {
    await context.reportProgress({ progress: 1 });
  }
}
`,
      'src/more.ts': `import { Tool, ToolScopes } from './all';
class B { @Tool({ name: 'b', parameters: S }) @ToolScopes(['a']) b() {} }
`,
    });
    expect(files['src/mcp.ts'])
      .toBe(`export { Tool, Public as PublicTool, type McpContext as Context } from 'nestjs-mcp';
export { UseGuards as ToolGuards } from '@nestjs/common';
`);
    expect(files['src/app.ts']).toContain(`import { Tool, PublicTool, type Context } from './mcp';`);
    expect(files['src/app.ts']).toContain(
      'async a(@Arguments() args: unknown, @ContextFromMcp() context: Context, @Req() request: unknown) {\n    context.progress(1);',
    );
    expect(files['src/app.ts']).toContain(
      `import { Arguments, Context as ContextFromMcp } from 'nestjs-mcp';`,
    );
    expect(files['src/all.ts']).toContain(`export * from 'nestjs-mcp';\n`);
    expect(files['src/all.ts']).toContain(`export { RequireScope as ToolScopes } from 'nestjs-mcp';\n`);
    expect(files['src/more.ts']).toContain(`@Tool({ name: 'b', inputSchema: S }) @ToolScopes('a') b() {}`);
  });

  it('of what stays are a statement of their own, marked once', async () => {
    const source = `import { McpAuthJwtGuard, McpModule, McpAuthModule } from '@rekog/mcp-nest';
export const modules = [
  McpAuthModule.forRoot({ provider }),
  McpModule.forRoot({ name: 'a', version: '1', transport: 'streamable-http', guards: [McpAuthJwtGuard] }),
];
`;
    const once = await migrateFiles({ 'src/app.ts': source });
    expect(once.files['src/app.ts']).toMatch(
      /^import \{ McpModule \} from 'nestjs-mcp';\n\/\/ TODO\(nestjs-mcp\): The authorization server.*\nimport \{ McpAuthJwtGuard, McpAuthModule \} from '@rekog\/mcp-nest';\n/,
    );
    expect(once.files['package.json']).toContain('"@rekog/mcp-nest": "^1.9.0"');
    expect(once.files['package.json']).toContain('"nestjs-mcp": "^');
    const twice = await migrateFiles(once.files);
    expect(twice.files).toEqual(once.files);
  });

  it('declare the type of a request that a guard has filled', async () => {
    const migrated = await migrateSource(`import { Tool, McpRequestWithUser } from '@rekog/mcp-nest';
class A {
  @Tool({ name: 'a' })
  a(args: unknown, context: unknown, request: McpRequestWithUser) { return request.user.name; }
}
`);
    expect(migrated).toContain('\n\ntype McpRequestWithUser = { user: any; headers:');
    expect(migrated).toContain('@Req() request: McpRequestWithUser');
  });

  it('of other packages do not change, whatever their names', async () => {
    const source = `import { Tool, PublicTool } from './own';
class A { @Tool({ parameters: 1 }) @PublicTool() a() {} }
`;
    expect(await migrateSource(source)).toBe(source);
  });

  it('keep line ends and the byte order mark of a file', async () => {
    const migrated = await migrateSource(
      `\uFEFFimport { Tool, ToolRoles } from '@rekog/mcp-nest';\r\nclass A {\r\n  @Tool({ name: 'a', parameters: S })\r\n  @ToolRoles(['x'])\r\n  a() {}\r\n}\r\n`,
    );
    expect(migrated.startsWith(`\uFEFFimport { Tool } from 'nestjs-mcp';\r\n`)).toBe(true);
    expect(migrated.replaceAll('\r\n', '')).not.toContain('\n');
  });
});
