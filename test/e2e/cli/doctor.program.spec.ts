import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../conformance/find-free-port.js';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { buildEnvironment } from '../../support/programs/build-environment.js';
import { FixtureEndpoint } from '../../support/fixture-endpoint.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly bin: { readonly 'nestjs-mcp': string };
};
const FILE = join(ROOT, bin['nestjs-mcp']);

interface Ending {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Promise<Ending> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [FILE, ...args],
      { timeout: 30_000, env: buildEnvironment() },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

describe('The program "nestjs-mcp"', () => {
  let desk: RunningApp | undefined;
  let endpoint: FixtureEndpoint | undefined;

  afterEach(async () => {
    await desk?.close();
    await endpoint?.stop();
    desk = undefined;
    endpoint = undefined;
  });

  it('begins with what lets a shell run it (KIT-03)', () => {
    expect(readFileSync(FILE, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('ends with 0 at a healthy server, and prints nothing but JSON (KIT-03)', async () => {
    desk = await bootServer();
    const { code, stdout, stderr } = await run('doctor', desk.url, '--json');
    const findings = JSON.parse(stdout) as readonly object[];
    expect([code, stderr]).toEqual([0, '']);
    for (const finding of findings) expect(Object.keys(finding)).toEqual(['id', 'status', 'found', 'fix']);
  });

  it('ends with 1 at a faulty one (KIT-03)', async () => {
    endpoint = await FixtureEndpoint.start({ allowsAnonymous: 'host' });
    const { code, stdout } = await run('doctor', endpoint.url);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^error {4}host /m);
  });

  it('ends with 2 where there is none, and where it is not told what to do (KIT-03)', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}/mcp`;
    expect((await run('doctor', url)).code).toBe(2);
    expect(await run()).toMatchObject({ code: 2, stdout: '' });
  });
});
