/** Runs the mutation check over the folders of lib that it is given, or over all that have one; options go to Stryker. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { JUDGES } from './judges.js';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['core/oauth', 'core/protocol', 'server/dispatch', 'server/auth', ...Object.keys(JUDGES)];
const STRYKER = join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const CONFIG = 'test/mutation/stryker.config.js';

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith('-'));
const folders = given.filter((argument) => !argument.startsWith('-'));
const unknown = folders.find((folder) => !FOLDERS.includes(folder));
if (unknown !== undefined)
  throw new Error(`"${unknown}" must be one of ${FOLDERS.join(', ')}: name a folder of lib that is checked`);

for (const folder of folders.length === 0 ? FOLDERS : folders) {
  console.log(`lib/${folder}`);
  const { status } = spawnSync(process.execPath, [STRYKER, 'run', CONFIG, ...options], {
    cwd: ROOT,
    env: { ...process.env, FOLDER: folder },
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
