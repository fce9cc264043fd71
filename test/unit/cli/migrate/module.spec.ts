import { describe, expect, it } from '@jest/globals';
import { migrateFiles, migrateSource } from './migrate-files.js';

/** Gives what becomes of the options of `forRoot()`. */
async function migrateOptions(options: string): Promise<string> {
  const migrated = await migrateSource(`import { McpModule, McpTransportType } from '@rekog/mcp-nest';
export const server = McpModule.forRoot(${options});
`);
  return /forRoot\(([\s\S]*)\);\n/.exec(migrated)?.[1] ?? migrated;
}

describe('McpModule.forRoot()', () => {
  it('gathers what clients are told of the server', async () => {
    expect(
      await migrateOptions(`{
  name: 'shop',
  // As released.
  version,
  transport: McpTransportType.STDIO,
  title: 'Shop',
  instructions: 'Ask first',
}`),
    ).toBe(`{
  serverInfo: {
    name: 'shop',
    // As released.
    version,
    title: 'Shop',
  },
  instructions: 'Ask first',
}`);
  });

  it.each([
    ["{ name: 'a', version: '1', transport: McpTransportType.STREAMABLE_HTTP }", 'stateless: true'],
    [
      "{ name: 'a', version: '1', transport: ['streamable-http'], mcpEndpoint: '/x' }",
      "stateless: true, mcpPath: '/x'",
    ],
    [
      "{ name: 'a', version: '1', transport: [McpTransportType.SSE], sseEndpoint: 'events' }",
      "sse: { path: '/events' }",
    ],
    [
      "{ name: 'a', version: '1', transport: McpTransportType.STREAMABLE_HTTP, apiPrefix: 'api', mcpEndpoint: 'x', streamableHttp: { statelessMode: false } }",
      "mcpPath: '/api/x'",
    ],
    [
      "{ name: 'a', version: '1', transport: McpTransportType.SSE, sse: { pingIntervalMs: 1_000 } }",
      'sse: true, streams: { keepAliveMs: 1_000 }',
    ],
  ])('%s', async (options, expected) => {
    expect((await migrateOptions(options)).replace(/,?\s*\}$/, ' }')).toBe(
      `{ serverInfo: { name: 'a', version: '1' }, ${expected} }`,
    );
  });

  it('has what comments are about where it was', async () => {
    const migrated = await migrateOptions(`{
  name: 'a',
  version: '1',
  instructions: 'Ask',
  // Known to clients.
  mcpEndpoint: 'x',
  transport: 'streamable-http',
  // No sessions.
  streamableHttp: { statelessMode: true },
}`);
    expect(migrated).toContain(`  // Known to clients.
  mcpPath: '/x',
  // No sessions.
  stateless: true,
}`);
  });

  it('serves what was served by default, and asks about sessions', async () => {
    const migrated = await migrateSource(`import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRoot({ name: 'a', version: '1' });
`);
    expect(migrated).toContain(`forRoot({ serverInfo: { name: 'a', version: '1' }, sse: true });`);
    expect(migrated).toMatch(
      /\/\/ TODO\(nestjs-mcp\): Streamable HTTP had no sessions before.*#transports\nexport const/,
    );
  });

  it('moves the endpoint with the global prefix of the application', async () => {
    const { files } = await migrateFiles({
      'src/main.ts': "app.setGlobalPrefix('api');\n",
      'src/app.ts': `import { McpModule } from '@rekog/mcp-nest';
McpModule.forRoot({ name: 'a', version: '1', transport: 'streamable-http' });
`,
    });
    expect(files['src/app.ts']).toContain('useGlobalPrefix: true');
  });

  it('has guards as a decorator, beside those that are there', async () => {
    const one = await migrateSource(`import { McpModule } from '@rekog/mcp-nest';
McpModule.forRoot({ name: 'a', version: '1', transport: 'stdio', guards: [A, B] });
`);
    expect(one).toContain('decorators: [UseGuards(A, B)]');
    expect(one).toContain(`import { UseGuards } from '@nestjs/common';`);
    const other = await migrateOptions(
      `{ name: 'a', version: '1', transport: 'stdio', guards: GUARDS, decorators: [Public()] }`,
    );
    expect(other).toContain('decorators: [Public(), UseGuards(...GUARDS)]');
    expect(other).not.toContain('guards:');
  });

  it.each([
    ['guards: [A], decorators: OTHERS', 'decorators: [...OTHERS, UseGuards(A)]'],
    ['guards: [A], decorators: find()', 'decorators: [...find(), UseGuards(A)]'],
    ['guards, decorators', 'decorators: [...decorators, UseGuards(...guards)]'],
    ['guards: [A], decorators: a ? b : c', 'decorators: [...(a ? b : c), UseGuards(A)]'],
    ['decorators: OTHERS, guards: [A]', 'decorators: [...OTHERS, UseGuards(A)]'],
  ])('has guards beside decorators that are made elsewhere: %s', async (given, expected) => {
    const migrated = await migrateOptions(`{ name: 'a', version: '1', transport: 'stdio', ${given} }`);
    expect(migrated).toContain(expected);
    expect(migrated).not.toMatch(/guards:|TODO/);
  });

  it.each(['guards: undefined', 'guards: []'])('leaves out %s', async (given) => {
    const migrated = await migrateOptions(`{ name: 'a', version: '1', transport: 'stdio', ${given} }`);
    expect(migrated).not.toMatch(/guards|decorators/i);
  });

  it.each(['get guards() { return [A]; }', 'guards: [A], get decorators() { return []; }'])(
    'leaves guards to a person that no value says: %s',
    async (given) => {
      const migrated = await migrateSource(`import { McpModule } from '@rekog/mcp-nest';
McpModule.forRoot({ name: 'a', version: '1', transport: 'stdio', ${given} });
`);
      expect(migrated).toContain('TODO(nestjs-mcp): Endpoint guards are decorators here');
      expect(migrated).toContain(given);
    },
  );

  it('keeps what has no counterpart as a comment', async () => {
    const migrated = await migrateOptions(`{
  name: 'a',
  version: '1',
  transport: 'stdio',
  serverMutator: (server) => {
    return wrap(server);
  },
  logging: false,
  allowUnauthenticatedAccess: true,
}`);
    expect(migrated).toMatch(
      / {2}\/\/ TODO\(nestjs-mcp\): There is no underlying SDK server.*from-mcp-nest.md#sdk-server\n/,
    );
    expect(migrated).toContain(`  // serverMutator: (server) => {
  // return wrap(server);
  // },
`);
    expect(migrated).not.toContain('logging');
    expect(migrated).toContain('catalog: { visibility: new ToolAccess() },');
    expect(migrated).not.toContain('allowUnauthenticatedAccess');
  });

  it('is left to a person if its options are made elsewhere', async () => {
    const migrated = await migrateSource(`import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRoot(buildOptions());
`);
    expect(migrated).toMatch(
      /\/\/ TODO\(nestjs-mcp\): The server options are not an object literal.*\nexport const/,
    );
  });
});

describe('McpModule.forRootAsync()', () => {
  it('has the options of its factory rewritten', async () => {
    const migrated = await migrateSource(`import { McpModule } from '@rekog/mcp-nest';
export const server = McpModule.forRootAsync({
  imports: [ConfigModule],
  inject: [ConfigService],
  useFactory: (config: ConfigService) => ({
    name: config.get('NAME'),
    version: '1',
    mcpEndpoint: 'shop/mcp',
  }),
});
`);
    expect(migrated).toContain(`  useFactory: (config: ConfigService) => ({
    serverInfo: {
      name: config.get('NAME'),
      version: '1',
    },
    stateless: true,
    mcpPath: '/shop/mcp',
  }),`);
  });

  it('follows the class that makes the options', async () => {
    const { files } = await migrateFiles({
      'src/settings.ts': `import { McpAsyncOptions, McpOptionsFactory } from '@rekog/mcp-nest';
export class Settings implements McpOptionsFactory {
  createMcpOptions(): McpAsyncOptions {
    return { name: 'a', version: '1' };
  }
}
`,
      'src/app.ts': `import { McpModule } from '@rekog/mcp-nest';
import { Settings } from './settings';
McpModule.forRootAsync({ useClass: Settings });
`,
    });
    expect(files['src/settings.ts'])
      .toBe(`import { type McpOptions, type McpOptionsFactory } from 'nestjs-mcp';
export class Settings implements McpOptionsFactory {
  createMcpOptions(): McpOptions {
    return { serverInfo: { name: 'a', version: '1' }, stateless: true };
  }
}
`);
  });
});

describe('McpModule.forFeature()', () => {
  it('names the server by its key, which the server gets', async () => {
    const { files } = await migrateFiles({
      'src/feature.ts': `import { McpModule } from '@rekog/mcp-nest';
McpModule.forFeature([A, B], 'shop');
`,
      'src/app.ts': `import { McpModule } from '@rekog/mcp-nest';
McpModule.forRoot({ name: 'shop', version: '1', transport: 'stdio' });
McpModule.forRoot({ name: 'other', version: '1', transport: 'stdio' });
`,
    });
    expect(files['src/feature.ts']).toContain(`McpModule.forFeature({ server: 'shop', providers: [A, B] });`);
    expect(files['src/app.ts']).toContain(`serverInfo: { name: 'shop', version: '1' }, server: 'shop'`);
    expect(files['src/app.ts']).toMatch(
      /This file has several servers.*\nMcpModule\.forRoot\(\{ serverInfo: \{ name: 'other'/,
    );
  });
});

describe('Standard input and output', () => {
  const MODULE = `import { Module } from '@nestjs/common';
import { McpModule, McpTransportType } from '@rekog/mcp-nest';
@Module({
  imports: [McpModule.forRoot({ name: 'a', version: '1', transport: McpTransportType.STDIO })],
})
export class AppModule {}
`;

  it('are served by "McpStdio"', async () => {
    const { files } = await migrateFiles({
      'src/app.module.ts': MODULE,
      'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.createApplicationContext(AppModule, {
    logger: false,
  });
  return app.close();
}
void bootstrap();
`,
    });
    expect(files['src/main.ts']).toContain(`async function bootstrap() {
  await McpStdio.run(AppModule);
}
`);
    expect(files['src/main.ts']).toContain(`import { McpStdio } from 'nestjs-mcp';`);
  });

  it('are left to a person if more is done with the application', async () => {
    const { files } = await migrateFiles({
      'src/app.module.ts': MODULE,
      'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
const app = await NestFactory.createApplicationContext(AppModule);
app.get(Jobs).start();
`,
    });
    expect(files['src/main.ts']).toMatch(
      /\/\/ TODO\(nestjs-mcp\): Serve stdio with.*\nconst app = await NestFactory/,
    );
  });
});
