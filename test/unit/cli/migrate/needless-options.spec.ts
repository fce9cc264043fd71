import { describe, expect, it } from '@jest/globals';
import { migrateFiles, migrateSource } from './migrate-files.js';

const toOptions = (capabilities: string) => `import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRoot({
  name: 'shop',
  version: '1.0.0',
  transport: 'streamable-http',
  capabilities: ${capabilities},
});
`;

describe('"capabilities" of a server', () => {
  it.each([
    '{ tools: { listChanged: true } }',
    '{ tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: {}, logging: {} }',
    '{}',
  ])('go if the server declares them by itself: %s', async (capabilities) => {
    const { files, notes, decisions } = await migrateFiles({ 'src/app.ts': toOptions(capabilities) });
    expect(files['src/app.ts']).not.toMatch(/capabilities|listChanged|TODO/);
    expect(notes).toContain('src/app.ts: "capabilities" was removed, because it is not needed here');
    expect(decisions).toBe(0);
  });

  it('declare areas that may get their entries later', async () => {
    const source = toOptions('{ tools: { listChanged: true }, logging: {} }');
    const adding = `import { McpRegistryService } from '@rekog/mcp-nest';
export const add = (registry: McpRegistryService) => registry.registerTool({ name: 'a', handler: () => 1 });
`;
    const { files } = await migrateFiles({ 'src/app.ts': source, 'src/add.ts': adding });
    expect(files['src/app.ts']).toContain('\n  capabilities: { tools: true },\n');
  });

  it.each(['{ experimental: { flags: {} } }', 'readCapabilities()'])(
    'are left to a person otherwise: %s',
    async (capabilities) => {
      const migrated = await migrateSource(toOptions(capabilities));
      expect(migrated).toContain(`capabilities: ${capabilities}`);
      expect(migrated).toMatch(/TODO\(nestjs-mcp\): .*"capabilities"/);
    },
  );
});

describe('"logging" of a server', () => {
  it('goes, since the log is that of Nest', async () => {
    const source = `import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRoot({ name: 'shop', version: '1.0.0', transport: 'streamable-http', logging: false });
`;
    const { files, notes } = await migrateFiles({ 'src/app.ts': source });
    expect(files['src/app.ts']).toContain(
      "McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' }, stateless: true",
    );
    expect(files['src/app.ts']).not.toMatch(/logging|TODO\(nestjs-mcp\): Log/);
    expect(notes).toContain('src/app.ts: "logging" was removed, because it is not needed here');
  });
});
