import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledPackage } from '../../support/programs/installed-package.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/testing-client.js', import.meta.url));

/** Runs the program to its end, and gives what it says. */
async function run(path: string): Promise<string> {
  const program = new NodeProgram(path, {});
  expect(await program.exitCode()).toBe(0);
  return program.stdout;
}

describe('The test kit', () => {
  let installed: InstalledPackage;

  beforeAll(() => {
    installed = new InstalledPackage('@modelcontextprotocol');
  });

  afterAll(() => installed.remove());

  it('is an entry of the package (KIT-01)', async () => {
    expect(await run(PROGRAM)).toContain('connected in 2026-07-28');
  });

  it('says what to install where the official client is missing (KIT-01)', async () => {
    expect(await run(installed.add(PROGRAM))).toContain(
      '"nestjs-mcp/testing" needs a package that is not installed: run "npm install --save-dev @modelcontextprotocol/client"',
    );
  });
});
