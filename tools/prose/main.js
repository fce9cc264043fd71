/**
 * Checks the prose of pages and sources by the rules of `rules`, from the folder in which it is started. Files in `not-yet.json` are let off
 * the rule under which they stand, until they no longer break it: `--shrink` takes those from the list that may leave it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { listProseFiles } from './files.js';
import { lintProse } from './lint-prose.js';
import { RULES } from './rules/index.js';

const LIST = 'tools/prose/not-yet.json';

const { values } = parseArgs({ options: { shrink: { type: 'boolean', default: false } } });
const root = process.cwd();
const notYet = JSON.parse(readFileSync(join(root, LIST), 'utf8'));
const files = listProseFiles(root);
const broken = new Set();
const faults = [];

for (const file of files) {
  for (const { rule, line, message } of await lintProse(file, readFileSync(join(root, file), 'utf8'))) {
    if (notYet[rule]?.includes(file)) broken.add(`${rule} ${file}`);
    else faults.push(`${file}:${line} ${message} (${rule})`);
  }
}
const unknown = Object.keys(notYet).filter((rule) => !Object.hasOwn(RULES, rule));
const kept = Object.fromEntries(
  Object.entries(notYet)
    .map(([rule, listed]) => [rule, listed.filter((file) => broken.has(`${rule} ${file}`))])
    .filter(([, listed]) => listed.length > 0),
);
const mended = Object.entries(notYet).flatMap(([rule, listed]) =>
  listed.filter((file) => !kept[rule]?.includes(file)).map((file) => `${file} (${rule})`),
);

if (values.shrink) {
  const form = await resolveConfig(join(root, LIST));
  writeFileSync(join(root, LIST), await format(JSON.stringify(kept), { ...form, parser: 'json' }));
} else {
  for (const rule of unknown) faults.push(`${LIST} names "${rule}", which is no rule`);
  for (const entry of mended) faults.push(`${LIST} can lose ${entry}: run "npm run prose -- --shrink"`);
}
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`The prose of ${files.length} files is in order`);
process.exitCode = faults.length === 0 ? 0 : 1;
