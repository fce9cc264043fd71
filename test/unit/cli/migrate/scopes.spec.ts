import { describe, expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

const TOOLS = `import { PublicTool, Tool, ToolRoles, ToolScopes } from '@rekog/mcp-nest';
export class Shop {
  @Tool({ name: 'order' })
  @ToolScopes(['shop:write'])
  @ToolRoles(['admin'])
  order() {}

  @Tool({ name: 'hours' })
  @PublicTool()
  hours() {}
}
`;
const ROOT = (options: string) => `import { Module } from '@nestjs/common';
import { ${options.includes('McpAuth') ? 'McpAuthJwtGuard, ' : ''}McpModule } from '@rekog/mcp-nest';

@Module({
  imports: [McpModule.forRoot({ name: 'shop', version: '1.0.0', transport: 'streamable-http'${options} })],
})
export class AppModule {}
`;
const STRATEGY = `import { McpStrategy } from '@rekog/mcp-nest';
export const server = new McpStrategy({ name: 'shop', version: '1.0.0', allowUnauthenticatedAccess: isOpen() });
`;

describe('Scopes and roles of tools', () => {
  it('are decided by a file of the application, as before', async () => {
    const { files } = await migrateFiles({ 'src/tools/shop.ts': TOOLS, 'src/app.module.ts': ROOT('') });
    expect(files['src/tools/shop.ts']).toBe(
      TOOLS.replace(
        "import { PublicTool, Tool, ToolRoles, ToolScopes } from '@rekog/mcp-nest';",
        "import { Tool } from 'nestjs-mcp';\nimport { ToolScopes, ToolRoles, PublicTool } from '../tool-access';",
      ),
    );
    expect(files['src/app.module.ts']).toContain('catalog: { visibility: new ToolAccess() }');
    expect(files['src/app.module.ts']).toContain("import { ToolAccess } from './tool-access';");
    expect(files['src/tool-access.ts']).toContain('if (context.http === undefined) return true;');
    expect(files['src/tool-access.ts']).not.toContain('GuardOptions');
  });

  it('have the options that their guard injects', async () => {
    const given = ', allowUnauthenticatedAccess: true, guards: [McpAuthJwtGuard]';
    const { files } = await migrateFiles({ 'src/shop.ts': TOOLS, 'src/app.module.ts': ROOT(given) });
    expect(files['src/app.module.ts']).toContain(
      'imports: [GuardOptionsModule.register({ allowUnauthenticatedAccess: true }), McpModule.forRoot({',
    );
    expect(files['src/app.module.ts']).toContain('new ToolAccess({ allowUnauthenticatedAccess: true })');
    expect(files['src/tool-access.ts']).toContain('export class GuardOptionsModule');
  });

  it('give a guard of the application the type of what it injects', async () => {
    const guard = `import { Inject } from '@nestjs/common';
import { McpOptions } from '@rekog/mcp-nest';
export class ShopGuard {
  constructor(@Inject('MCP_OPTIONS') private readonly options?: McpOptions) {}
}
`;
    const others = { 'src/shop.ts': TOOLS, 'src/app.module.ts': ROOT(', guards: [ShopGuard]') };
    const { files, decisions } = await migrateFiles({ ...others, 'src/shop.guard.ts': guard });
    expect(files['src/shop.guard.ts']).toContain('private readonly options?: GuardOptions');
    expect(files['src/shop.guard.ts']).not.toContain('nestjs-mcp');
    expect(decisions).toBe(0);
  });

  it('are those of the request in 2.x, also without one', async () => {
    const { files } = await migrateFiles({ 'src/shop.ts': TOOLS, 'src/server.ts': STRATEGY });
    expect(files['src/server.ts']).toContain('new ToolAccess({ allowUnauthenticatedAccess: isOpen() })');
    expect(files['src/tool-access.ts']).not.toContain('context.http === undefined');
  });

  it('say who sees tools that are added', async () => {
    const adding = `import { McpRegistryService } from '@rekog/mcp-nest';
export function add(registry: McpRegistryService) {
  registry.registerTool({ name: 'a', requiredScopes: ['x'], requiredRoles: ['y'], handler: () => 1 });
}
`;
    const { files } = await migrateFiles({ 'src/add.ts': adding, 'src/app.module.ts': ROOT('') });
    expect(files['src/add.ts']).toMatch(
      /tools\.add\(\{ name: 'a', visible: visibleFor\(\{ scopes: \['x'\], roles: \['y'\] \}\),? *\}, \(\) => 1\);/,
    );
  });

  it('need no file if nothing asks for them', async () => {
    const open = TOOLS.replaceAll(/ {2}@Tool(?:Scopes|Roles).*\n/g, '').replace(
      ', ToolRoles, ToolScopes',
      '',
    );
    const { files } = await migrateFiles({ 'src/shop.ts': open, 'src/app.module.ts': ROOT('') });
    expect(files['src/tool-access.ts']).toBeUndefined();
    expect(files['src/shop.ts']).toContain("import { Public, Tool } from 'nestjs-mcp';");
  });

  it('are left to a person beside a file of that name', async () => {
    const own = { 'src/tool-access.ts': 'export {};\n' };
    const { files } = await migrateFiles({ 'src/shop.ts': TOOLS, 'src/app.module.ts': ROOT(''), ...own });
    expect(files['src/tool-access.ts']).toBe('export {};\n');
    expect(files['src/app.module.ts']).toMatch(/TODO\(nestjs-mcp\): .*"auth".*#scopes-and-public-tools$/m);
  });
});
