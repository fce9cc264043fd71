import { describe, expect, it } from '@jest/globals';
import { migrateFiles, migrateSource } from './migrate-files.js';

interface Application {
  readonly transports?: string;
  /** What stands behind `{ strategy: mcp }`. */
  readonly hybrid?: string;
}

function writeApplication({
  transports = 'new StreamableHttpTransport({ statefulMode: true })',
  hybrid = '',
}: Application): string {
  return `import { NestFactory } from '@nestjs/core';
import { McpStrategy, StdioTransport, StreamableHttpTransport } from '@rekog/mcp-nest';
import { AppModule } from './app.module';

const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [${transports}] });
const app = await NestFactory.create(AppModule);
app.connectMicroservice({ strategy: mcp }${hybrid});
`;
}

const migrate = (application: Application) => migrateSource(writeApplication(application));

describe('A strategy that an application serves beside HTTP', () => {
  it('has global enhancers run on handlers if they did', async () => {
    const migrated = await migrate({ hybrid: ', { inheritAppConfig: true }' });
    expect(migrated).toContain(`version: '1.0.0' }, globalEnhancers: true });`);
    expect(migrated).not.toContain('TODO');
  });

  it('has no global enhancers run on handlers if they did not', async () => {
    const migrated = await migrate({ hybrid: ', { inheritAppConfig: false }' });
    expect(migrated).not.toMatch(/globalEnhancers|TODO/);
  });

  it.each([', settings', ', { ...settings }', ', { inheritAppConfig: isStrict }'])(
    'leaves global enhancers to a person if "%s" is not written out',
    async (hybrid) => {
      expect(await migrate({ hybrid })).toMatch(
        /\/\/ TODO\(nestjs-mcp\): Global guards.*"globalEnhancers: true".*#guards\nconst mcp/,
      );
    },
  );

  it.each([
    'new StreamableHttpTransport({ statefulMode: true }), new StdioTransport()',
    'new StdioTransport()',
  ])('leaves standard input and output to a person: %s', async (transports) => {
    expect(await migrate({ transports })).toMatch(
      /\/\/ TODO\(nestjs-mcp\): The application served stdio alongside HTTP.*#transports\nconst mcp/,
    );
  });

  it.each([
    'new QueueTransport()',
    'new StreamableHttpTransport({ statefulMode: true }), new StreamableHttpTransport()',
  ])('leaves transports to a person that have no counterpart: %s', async (transports) => {
    expect(await migrate({ transports })).toMatch(
      /\/\/ TODO\(nestjs-mcp\): The transports are not.*\nconst mcp/,
    );
  });

  it('serves its endpoint without "mount: true"', async () => {
    const transports = 'new StreamableHttpTransport({ statefulMode: true, mount: true })';
    const { files, notes } = await migrateFiles({ 'src/app.ts': writeApplication({ transports }) });
    expect(files['src/app.ts']).not.toContain('TODO');
    expect(notes).toContain('src/app.ts: "mount: true" was removed, because it is not needed here');
  });

  it('tells what to do with a controller if there is one', async () => {
    const transports = 'new StreamableHttpTransport({ statefulMode: true, mount: false })';
    expect(await migrate({ transports })).toMatch(
      /\/\/ TODO\(nestjs-mcp\): The module serves the endpoint itself\. If one of your controllers did.*\nconst mcp/,
    );
  });

  it('is not changed by a second run', async () => {
    const transports = 'new StreamableHttpTransport({ mount: false }), new StdioTransport()';
    // What stays of the other package has the rules run again.
    const kept = `import { McpAuthModule } from '@rekog/mcp-nest-auth';\n`;
    const once = await migrateSource(kept + writeApplication({ transports, hybrid: ', settings' }));
    expect(once).toContain(kept);
    expect(await migrateSource(once)).toBe(once);
  });
});

describe('A strategy that is all an application serves', () => {
  it.each([
    [
      'has global enhancers run on handlers if a module provides some',
      '{ provide: APP_GUARD, useClass: A }',
      true,
    ],
    ['has none otherwise', 'A', false],
  ])('%s', async (_, provider, isExpected) => {
    const migrated = await migrateSource(`import { McpStrategy, StdioTransport } from '@rekog/mcp-nest';
const mcp = new McpStrategy({ name: 'shop', version: '1.0.0', transports: [new StdioTransport()] });

@Module({ providers: [${provider}] })
class AppModule {}

const app = await NestFactory.createMicroservice(AppModule, { strategy: mcp });
await app.listen();
`);
    expect(migrated.includes('globalEnhancers: true')).toBe(isExpected);
    expect(migrated).toContain('await McpStdio.run(AppModule);');
  });
});
