import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { examineServer, hearProgress, type Findings, type Questions } from './examine-server.js';
import { FixtureApplication } from './fixture-application.js';
import { DESK, NOTES, STAFF, STATIONS } from './questions.js';

describe('An application after "migrate"', () => {
  let application: FixtureApplication;

  afterEach(() => application.remove());

  async function examine(paths: Readonly<Record<string, Questions>>): Promise<readonly Findings[]> {
    const app = await application.start();
    try {
      const base = await app.getUrl();
      const findings: Findings[] = [];
      for (const [path, questions] of Object.entries(paths))
        findings.push(await examineServer(`${base}${path}`, questions));
      return findings;
    } finally {
      await app.close();
    }
  }

  /** Copies it again: modules of a folder are loaded once. */
  async function migrateCopy(name: string): Promise<void> {
    application.remove();
    application = FixtureApplication.copy(name);
    await application.migrate();
  }

  it.each([
    ['notes-2', { '/notes/mcp': NOTES }],
    ['stations-2', { '/stations/mcp': STATIONS, '/staff/mcp': STAFF }],
  ])('answers its clients as before: %s', async (name, paths) => {
    application = FixtureApplication.copy(name);
    const before = await examine(paths);
    await migrateCopy(name);
    expect(await examine(paths)).toEqual(before);
  });

  it('reports progress as before', async () => {
    const hear = async () => {
      const app = await application.start();
      try {
        return await hearProgress(`${await app.getUrl()}/notes/mcp`, 'greet', { name: 'Ada' });
      } finally {
        await app.close();
      }
    };
    application = FixtureApplication.copy('notes-2');
    expect(await hear()).toEqual([50]);
    await migrateCopy('notes-2');
    expect(await hear()).toEqual([50]);
  });

  it('of 1.x answers its clients as before: desk-1', async () => {
    application = FixtureApplication.copy('desk-1');
    await application.migrate();
    const [findings] = await examine({ '/desk/mcp': DESK });
    expect(findings).toEqual(
      JSON.parse(readFileSync('test/e2e/cli/migrate/fixtures/desk-1/findings.json', 'utf8')),
    );
  });

  it.each(['notes-2', 'stations-2', 'desk-1'])(
    'compiles, and has nothing left to migrate: %s',
    async (name) => {
      application = FixtureApplication.copy(name);
      await application.migrate();
      const settings = {
        extends: join(process.cwd(), 'tsconfig.json'),
        compilerOptions: {
          paths: { 'nestjs-mcp': [join(process.cwd(), 'lib/index.ts')] },
          noUnusedLocals: true,
        },
        include: ['src'],
      };
      writeFileSync(join(application.folder, 'tsconfig.json'), JSON.stringify(settings));
      const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
      const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', application.folder], {
        encoding: 'utf8',
      });
      expect(stdout).toBe('');
      expect(await application.migrate()).toContain('There is nothing to migrate');
    },
    120_000,
  );
});
