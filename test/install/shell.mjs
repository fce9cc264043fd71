import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The root of the project. */
export const ROOT = join(import.meta.dirname, '../..');

/** Runs a command to its end in a folder, and gives what it printed. */
export function run(cwd, command, ...args) {
  console.log(`> ${command} ${args.join(' ')}`);
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
