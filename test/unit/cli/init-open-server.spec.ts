import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runInit } from '../../../cli/init/init.command.js';

const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n`;

describe('What "init" says of an open server', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-init-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', version: '1.2.3' }));
    writeFileSync(join(folder, 'src/app.module.ts'), MODULE);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Gives what is said last in an application that listens by these arguments. */
  async function init(listened: string): Promise<string> {
    writeFileSync(join(folder, 'src/main.ts'), `// app.listen(9999)\nawait app.listen(${listened});\n`);
    const printed: string[] = [];
    const print = (line: string) => void printed.push(line);
    await runInit([], { environment: {}, print, complain: () => undefined }, folder);
    return printed.at(-1) ?? '';
  }

  it.each([
    `process.env.PORT ?? 3100, '127.0.0.1'`,
    `process.env['PORT'] ?? '3100', "localhost"`,
    `3100, '::1', () => console.log('up')`,
    `3100, process.env.HOST ?? '127.0.0.1'`,
    `{ port: 3100, host: '127.0.0.1' }`,
  ])('is that nobody else reaches it: listen(%s) (KIT-02)', async (listened) => {
    const said = await init(listened);
    expect(said).toContain('The server has no authentication, but listens on this machine only.');
    expect(said).not.toContain('"auth"');
  });

  it.each([
    ['3100', '3100'],
    [`process.env.PORT ?? 3100`, 'process.env.PORT ?? 3100'],
    [`3100, '0.0.0.0'`, '3100'],
    [`3100, host`, '3100'],
    [`3100, () => console.log('127.0.0.1')`, '3100'],
    [`config.getOrThrow('app.port')`, `config.getOrThrow('app.port')`],
  ])(
    'is how others are kept out, at the port that it has: listen(%s) (KIT-02, APP-05)',
    async (listened, port) => {
      expect(await init(listened)).toContain(`, in src/main.ts:\n  await app.listen(${port}, '127.0.0.1');`);
    },
  );

  it.each([`{ port: 3100 }`, `{ host: '0.0.0.0', port: 3100 }`])(
    'is how Fastify keeps others out: listen(%s) (KIT-02)',
    async (listened) => {
      expect(await init(listened)).toContain(`  await app.listen({ port: 3100, host: '127.0.0.1' });`);
    },
  );
});
