import { describe, expect, it } from '@jest/globals';
import type { Project } from '../../../cli/application/project-folder.js';
import { planInit } from '../../../cli/init/plan-init.js';

const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n`;

function init(files: Readonly<Record<string, string>>, module?: string) {
  const all: Readonly<Record<string, string>> = {
    'package.json': '{ "name": "shop" }',
    'src/app.module.ts': MODULE,
    ...files,
  };
  const project: Project = { read: (path) => all[path], findVersion: () => undefined };
  const { endpoint, notes, changes, start } = planInit(project, { module });
  const manifest = changes.find(({ path }) => path === 'package.json')?.text ?? '';
  return { endpoint, notes, manifest, start };
}

const main = (listened: string, before = '') =>
  `import { AppModule } from './app.module';\n${before}\nawait app.listen(${listened});\n`;

describe('Where "init" finds the server', () => {
  it.each([
    ['4100', ''],
    ['process.env.PORT ?? 4100', ''],
    [`process.env.PORT || '4100'`, ''],
    ['+(process.env.PORT ?? 4100)', ''],
    [`parseInt(process.env.PORT ?? '4100', 10)`, ''],
    ['Number.parseInt(process.env.PORT, 10) || 4100', ''],
    ['process.env.PORT ? Number(process.env.PORT) : 4100', ''],
    [`config.get<number>('PORT', 4100)`, ''],
    [`config.get('port', { infer: true }) ?? 4100`, ''],
    ['{ host, port: 4100 }', ''],
    ['port', `const port = process.env.PORT || 4100;`],
    ['port', `const port: number = process.env.PORT\n  ? Number(process.env.PORT)\n  : 4100\n`],
    ['{ port }', `const DEFAULT_PORT = 4100;\nconst port = process.env.PORT ?? DEFAULT_PORT;`],
  ])('is the port in listen(%s) (APP-05)', (listened, before) => {
    const { endpoint, notes, manifest } = init({ 'src/main.ts': main(listened, before) });
    expect(endpoint).toBe('http://127.0.0.1:4100/mcp');
    expect(manifest).toContain('nestjs-mcp-cli doctor http://127.0.0.1:4100/mcp');
    expect(notes).toEqual([]);
  });

  it.each([`configService.getOrThrow('app.port')`, 'process.env.PORT!', 'settings.port', 'port'])(
    'is said to be unknown for listen(%s) (APP-05)',
    (listened) => {
      const { endpoint, notes } = init({ 'src/main.ts': main(listened) });
      expect(endpoint).toBe('http://127.0.0.1:3000/mcp');
      expect(notes).toEqual([expect.stringContaining(`"src/main.ts" listens on "${listened}"`)]);
    },
  );

  it.each([
    [
      `registerAs('app', () => ({ name: 'shop', port: Number(process.env.APP_PORT ?? 4100), prefix: 'api' }))`,
    ],
    [`{ port: process.env.APP_PORT\n    ? parseInt(process.env.APP_PORT, 10)\n    : 4100,\n}`],
  ])('is the port of a configuration, with a word on that: %s (APP-05)', (configuration) => {
    const { endpoint, notes } = init({
      'src/main.ts': main(`config.getOrThrow('app.port', { infer: true })`),
      'src/app.module.ts': `import app from './config/app.config';\n${MODULE}`,
      'src/config/app.config.ts': `export default ${configuration};`,
    });
    expect(endpoint).toBe('http://127.0.0.1:4100/mcp');
    expect(notes).toEqual([
      expect.stringContaining('The port 4100 was read from "src/config/app.config.ts"'),
    ]);
  });

  it('is not guessed where several configurations have ports (APP-05)', () => {
    const { notes } = init({
      'src/main.ts': main('config.port'),
      'src/app.module.ts': `import './config';\n${MODULE}`,
      'src/config.ts': 'export default { mail: { port: 25 }, app: { port: 4100 } };',
    });
    expect(notes).toEqual([expect.stringContaining('listens on "config.port"')]);
  });

  it('is in the file that starts the application, wherever that is (APP-05)', () => {
    const { endpoint, start } = init(
      {
        'apps/api/src/main.ts': `import { bootstrap } from './bootstrap';\nvoid bootstrap();\n`,
        'apps/api/src/bootstrap.ts':
          main('4100').replace('./app.module', './app/app.module') + '// NestFactory',
        'apps/api/src/app/app.module.ts': MODULE.replace('@Module', `client.on('x').listen(25);\n\n@Module`),
      },
      'apps/api/src/app/app.module.ts',
    );
    expect(endpoint).toBe('http://127.0.0.1:4100/mcp');
    expect(start.path).toBe('apps/api/src/bootstrap.ts');
  });

  it('is not below the global prefix, and says so (APP-05)', () => {
    const set = `app.setGlobalPrefix('api', { exclude: ['health'] });`;
    const { endpoint, notes } = init({ 'src/main.ts': main('3000', set) });
    expect(endpoint).toBe('http://127.0.0.1:3000/mcp');
    expect(notes).toEqual([
      expect.stringContaining(`The global prefix 'api' does not apply to the endpoint`),
    ]);
  });

  it('is where the server that is there already has it (APP-05)', () => {
    const server = (options: string) => ({
      'src/main.ts': main('3000', `app.setGlobalPrefix('/api');`),
      'src/app.module.ts': `import { McpModule } from 'nestjs-mcp';\n${MODULE.replace('{}', `{ imports: [McpModule.forRoot({ ${options} })] }`)}`,
    });
    expect(init(server(`mcpPath: '/tools'`)).endpoint).toBe('http://127.0.0.1:3000/tools');
    expect(init(server('useGlobalPrefix: true')).endpoint).toBe('http://127.0.0.1:3000/api/mcp');
  });
});
