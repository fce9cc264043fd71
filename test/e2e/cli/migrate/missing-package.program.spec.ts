import { expect, it } from '@jest/globals';
import { runCommandLine } from '../../../support/programs/command-line.js';
import { withoutPackage } from '../../../support/programs/without-package.js';

it('"migrate" tells how to install "ts-morph" without a change that it would refuse (WAY-01)', async () => {
  const nodeOptions = withoutPackage('ts-morph');
  const { code, stderr } = await runCommandLine(['migrate', '--dry-run'], { nodeOptions });
  expect(code).toBe(2);
  expect(stderr).toContain('run "npm install --no-save ts-morph"');
});
