import { describe, expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

const TOOLS = `import { Tool, ToolScopes } from '@rekog/mcp-nest';
export class Shop {
  @Tool({ name: 'order' })
  @ToolScopes(['shop:write'])
  order() {}
}
`;
const TODO = /^ *\/\/ TODO\(nestjs-mcp\): .*"@RequireScope\(\)" .*"auth".*#scopes-and-public-tools$/m;

describe('Options of a server whose handlers require scopes', () => {
  it('have "auth" left to a person, in 1.x', async () => {
    const options = `import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRoot({ name: 'shop', version: '1.0.0' });
`;
    const { files } = await migrateFiles({ 'src/shop.ts': TOOLS, 'src/server.ts': options });
    expect(files['src/server.ts']).toMatch(TODO);
  });

  it('have "auth" left to a person, in 2.x', async () => {
    const options = `import { McpStrategy } from '@rekog/mcp-nest';
export const server = new McpStrategy({ name: 'shop', version: '1.0.0' });
`;
    const { files } = await migrateFiles({ 'src/shop.ts': TOOLS, 'src/server.ts': options });
    expect(files['src/server.ts']).toMatch(TODO);
  });

  it('have nothing to decide if no handler requires scopes', async () => {
    const options = `import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRoot({ name: 'shop', version: '1.0.0' });
`;
    const { files } = await migrateFiles({ 'src/server.ts': options });
    expect(files['src/server.ts']).not.toMatch(TODO);
  });
});
