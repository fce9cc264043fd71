import { describe, expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

const MCP = `import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
export const mcp = new McpStrategy({
  name: 'shop',
  version: '1.0.0',
  transports: [new StreamableHttpTransport()],
});
`;
const MODULE = `import { Module } from '@nestjs/common';
import { Shop } from './shop';

@Module({ controllers: [Shop] })
export class AppModule {}
`;
const MAIN = `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { mcp } from './mcp';

const app = await NestFactory.create(AppModule);
mcp.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy: mcp });
await app.startAllMicroservices();
await app.listen(3000);
`;

describe('A server of 2.x', () => {
  it('is imported by the module of the application, so that tests of the module have it too', async () => {
    const { files } = await migrateFiles({
      'src/mcp.ts': MCP,
      'src/app.module.ts': MODULE,
      'src/main.ts': MAIN,
    });
    expect(files['src/app.module.ts']).toContain("import { mcp } from './mcp';");
    expect(files['src/app.module.ts']).toContain('imports: [mcp], controllers: [Shop]');
    expect(files['src/main.ts']).toContain('NestFactory.create(AppModule)');
    expect(files['src/main.ts']).not.toContain('mcp');
  });

  it('is disconnected too if it is given by its name alone', async () => {
    const main = MAIN.replaceAll('mcp', 'strategy').replace('{ strategy: strategy }', '{ strategy }');
    const { files } = await migrateFiles({
      'src/strategy.ts': MCP.replace('const mcp', 'const strategy'),
      'src/app.module.ts': MODULE,
      'src/main.ts': main,
    });
    expect(files['src/main.ts']).not.toContain('strategy');
  });

  it('is imported at the start if its file imports that module, by whatever steps', async () => {
    const { files } = await migrateFiles({
      'src/mcp.ts': `import './setup';\n${MCP}`,
      'src/setup.ts': "export * from './app.module';\n",
      'src/app.module.ts': MODULE,
      'src/main.ts': MAIN,
    });
    expect(files['src/app.module.ts']).toBe(MODULE);
    expect(files['src/main.ts']).toContain('NestFactory.create({ module: AppModule, imports: [mcp] })');
  });

  it('is imported by a module that has nothing else but its token', async () => {
    const module = `import { Module } from '@nestjs/common';
import { MCP_STRATEGY } from '@rekog/mcp-nest';
import { mcp } from './mcp';

@Module({
  providers: [{ provide: MCP_STRATEGY, useValue: mcp }],
  exports: [MCP_STRATEGY],
})
export class ServerModule {}
`;
    const { files } = await migrateFiles({ 'src/mcp.ts': MCP, 'src/server.module.ts': module });
    expect(files['src/server.module.ts']).toContain('@Module({\n  imports: [mcp],\n  exports: [],\n})');
  });
});
