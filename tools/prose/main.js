/** Checks the prose of pages and sources by the rules of `rules`, from the folder in which it is started. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProseFiles } from './files.js';
import { lintProse } from './lint-prose.js';

const root = process.cwd();
const files = listProseFiles(root);
const faults = [];

for (const file of files) {
  for (const { rule, line, message } of await lintProse(file, readFileSync(join(root, file), 'utf8'))) {
    faults.push(`${file}:${line} ${message} (${rule})`);
  }
}
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`The prose of ${files.length} files is in order`);
process.exitCode = faults.length === 0 ? 0 : 1;
