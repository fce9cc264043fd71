import { describe, expect, it } from '@jest/globals';
import { migrateFiles, migrateSource } from './migrate-files.js';

const STRATEGY = `export const mcp = new McpStrategy({
  name: 'shop',
  version: '1.0.0',
  transports: [new StreamableHttpTransport({ statefulMode: true })],
});
`;

describe('A strategy', () => {
  it('becomes a module that the application imports, and nothing has to be connected', async () => {
    const { files, notes } = await migrateFiles({
      'src/app.module.ts': `import { Module } from '@nestjs/common';
import { MCP_STRATEGY, McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { Shop } from './shop';

${STRATEGY}
@Module({
  controllers: [Shop],
  providers: [Clock, { provide: MCP_STRATEGY, useValue: mcp }],
  exports: [Clock, MCP_STRATEGY],
})
export class AppModule {}
`,
      'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule, mcp } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  mcp.setHttpAdapter(app.getHttpAdapter()); // for HTTP
  app.connectMicroservice({ strategy: mcp });
  await app.startAllMicroservices();
  await app.listen(3000);
}
void bootstrap();
`,
    });
    expect(files['src/app.module.ts']).toBe(`import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { Shop } from './shop';

export const mcp = McpModule.forRoot({
  serverInfo: {
    name: 'shop',
    version: '1.0.0',
  },
});

@Module({
  imports: [mcp],
  controllers: [Shop],
  providers: [Clock],
  exports: [Clock],
})
export class AppModule {}
`);
    expect(files['src/main.ts']).toBe(`import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(3000);
}
void bootstrap();
`);
    expect(notes.join('\n')).toContain('"app.connectMicroservice({ strategy: mcp });" was removed');
  });

  it('is imported by the root module behind it', async () => {
    const migrated = await migrateSource(`import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpStrategy, StdioTransport } from '@rekog/mcp-nest';

const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [new StdioTransport()] });

@Module({ imports: [ShopModule] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.createMicroservice(AppModule, { strategy: mcp, logger: false });
  await app.listen();
}
void bootstrap();
`);
    expect(migrated).toContain('@Module({ imports: [ShopModule, mcp] })');
    expect(migrated).toContain('  await McpStdio.run(AppModule);\n}');
    expect(migrated).toContain(`McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' } })`);
  });

  it('comes to the module where the application is created, if it is made there', async () => {
    const migrated = await migrateSource(`import { NestFactory } from '@nestjs/core';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { AppModule } from './app.module';

async function bootstrap() {
  const { endpoint } = await load();
  const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [new StreamableHttpTransport({ endpoint })] });
  const app = await NestFactory.create(AppModule);
  mcp.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy: mcp });
  app.connectMicroservice({ transport: Transport.TCP });
  await app.startAllMicroservices();
}
`);
    expect(migrated).toContain('NestFactory.create({ module: AppModule, imports: [mcp] })');
    expect(migrated).toContain('mcpPath: endpoint, stateless: true');
    expect(migrated).toContain('  await app.startAllMicroservices();');
    expect(migrated).toContain('  app.connectMicroservice({ transport: Transport.TCP });');
  });

  it('is imported by testing modules', async () => {
    const migrated = await migrateSource(
      `import { Test } from '@nestjs/testing';
import { McpStrategy, StreamableHttpTransport, MCP_STRATEGY } from '@rekog/mcp-nest';

it('works', async () => {
  ${STRATEGY.replace('export ', '').replaceAll('\n', '\n  ').trimEnd()}
  const moduleRef = await Test.createTestingModule({ controllers: [Shop] }).compile();
  const app = moduleRef.createNestApplication();
  mcp.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy: mcp });
  await app.startAllMicroservices();
});
`,
      'test/shop.e2e-spec.ts',
    );
    expect(migrated).toContain('createTestingModule({ imports: [mcp], controllers: [Shop] })');
    expect(migrated).not.toContain('Microservice');
  });

  it('takes the options of transports that are constants, which go', async () => {
    const migrated = await migrateSource(`import { NestFactory } from '@nestjs/core';
import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { AppModule } from './app.module';

const http = new StreamableHttpTransport({
  endpoint: '/shop',
  statefulMode: true,
  security: { allowedOrigins: ['https://shop.example.com'], allowedHosts: 'localhost' },
});
const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [http] });
const app = await NestFactory.create(AppModule);
app.connectMicroservice({ strategy: mcp });
`);
    expect(migrated).not.toContain('http = ');
    expect(migrated).toContain(
      `serverInfo: { name: 'shop', version: '1.0.0' }, mcpPath: '/shop', allowedOrigins: ['https://shop.example.com']`,
    );
  });

  it('tells which options of its transports are not needed, and no others', async () => {
    const { notes } = await migrateFiles({
      'src/mcp.ts': `import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
export const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [
  new StreamableHttpTransport({ sessionIdGenerator: () => 'a', security: { allowedHosts: ['a'] } }),
] });
`,
    });
    expect(notes).toContain('src/mcp.ts: "sessionIdGenerator" was removed, because it is not needed here');
    expect(notes.join('\n')).not.toContain('security');
  });

  it('is left to a person if it is used otherwise', async () => {
    const migrated =
      await migrateSource(`import { McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
${STRATEGY}
mcp.registerTool({ name: 'a', handler: () => 'a' });
register(mcp);
`);
    expect(migrated).toMatch(/\/\/ TODO\(nestjs-mcp\): Add handlers with "McpCatalog".*\nmcp\.registerTool/);
    expect(migrated).toMatch(/\/\/ TODO\(nestjs-mcp\): The server is a module.*\nregister\(mcp\)/);
  });
});

describe('Controllers of a named server', () => {
  it('are assigned where they are listed', async () => {
    const { files } = await migrateFiles({
      'src/shop.ts': `import { McpController, Tool } from '@rekog/mcp-nest';
@McpController({ server: 'shop' })
export class Shop {
  @Tool({ name: 'a' })
  a() {}
}
`,
      'src/shop.module.ts': `import { Module } from '@nestjs/common';
import { Shop } from './shop';

@Module({
  controllers: [Shop],
})
export class ShopModule {}
`,
    });
    expect(files['src/shop.ts']).toContain('@Controller()\nexport class Shop');
    expect(files['src/shop.module.ts']).toBe(`import { Module } from '@nestjs/common';
import { Shop } from './shop';
import { McpModule } from 'nestjs-mcp';

@Module({
  imports: [McpModule.forFeature({ server: 'shop', providers: [Shop] })],
  controllers: [Shop],
})
export class ShopModule {}
`);
  });

  it('of the HTTP layer are left to a person', async () => {
    const migrated = await migrateSource(`import { Controller, UseGuards } from '@nestjs/common';
import { McpHttpControllerFor, StreamableHttpTransport } from '@rekog/mcp-nest';
const transport = new StreamableHttpTransport();
@Controller('mcp')
@UseGuards(A)
export class Http extends McpHttpControllerFor(transport) {}
`);
    expect(migrated).toMatch(
      /\/\/ TODO\(nestjs-mcp\): The module serves the endpoint itself.*\n@Controller\('mcp'\)/,
    );
    expect(migrated).not.toContain('@rekog');
  });
});
