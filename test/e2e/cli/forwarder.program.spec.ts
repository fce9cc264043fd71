import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildEnvironment } from '../../support/programs/build-environment.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

describe('The program "nestjs-mcp"', () => {
  let application: string;
  let modules: string;

  beforeEach(() => {
    application = realpathSync(mkdtempSync(join(tmpdir(), 'nestjs-mcp-forwarder-')));
    modules = join(application, 'node_modules');
    for (const folder of ['dist/forwarder', 'dist/chunks'])
      cpSync(join(ROOT, folder), join(modules, 'nestjs-mcp', folder), { recursive: true });
    writeFileSync(join(modules, 'nestjs-mcp/package.json'), '{ "type": "module" }');
  });

  afterEach(() => rmSync(application, { recursive: true }));

  function run(...args: readonly string[]) {
    const file = join(modules, 'nestjs-mcp/dist/forwarder/main.js');
    const options = { cwd: application, env: buildEnvironment() };
    return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  }

  it('runs the command line that is installed beside it, with its exit code (KIT-03)', async () => {
    symlinkSync(join(ROOT, 'cli'), join(modules, 'nestjs-mcp-cli'));
    expect(await run('--version')).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
    expect(await run('vanish')).toMatchObject({ code: 2, stderr: expect.stringContaining('"vanish"') });
  });

  it('says what to install where there is none (KIT-03)', async () => {
    expect(await run('--version')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'The commands are in a separate package: npm install --save-dev nestjs-mcp-cli\n',
    });
  });

  it('does not hide that a command line which is installed is broken (KIT-03)', async () => {
    mkdirSync(join(modules, 'nestjs-mcp-cli'));
    writeFileSync(
      join(modules, 'nestjs-mcp-cli/package.json'),
      '{ "exports": { "./package.json": "./package.json" } }',
    );
    const { code, stderr } = await run('--version');
    expect(code).toBe(1);
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
