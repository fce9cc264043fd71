import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledPackage } from '../../support/programs/installed-package.js';
import { NodeProgram } from '../../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/searching-app.js', import.meta.url));

/** Runs the program to its end, and gives what it says. */
async function run(path: string): Promise<string> {
  const program = new NodeProgram(path, {});
  expect(await program.exitCode()).toBe(0);
  return program.stdout;
}

describe('Tool search', () => {
  let installed: InstalledPackage;

  beforeAll(() => {
    installed = new InstalledPackage('minisearch');
  });

  afterAll(() => installed.remove());

  it('starts where the package that ranks is installed (XTN-07)', async () => {
    expect(await run(PROGRAM)).toBe('started\n');
  });

  it('says at start-up what to install where it is not (XTN-07)', async () => {
    expect(await run(installed.add(PROGRAM))).toContain(
      '"catalog.search" needs a package that is not installed: run "npm install minisearch"',
    );
  });
});
