import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '../..');

/** Runs a command to its end in a folder, and gives what it printed. What `npx` would find in the folder is run at once. */
export function run(cwd, command, ...args) {
  console.log(`> ${command} ${args.join(' ')}`);
  const [name = '', ...rest] = args;
  const installed = join(cwd, 'node_modules/.bin', name);
  const [file, given] = command === 'npx' && existsSync(installed) ? [installed, rest] : [command, args];
  return execFileSync(file, given, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
