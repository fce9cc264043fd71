/**
 * Checks the prose of pages and sources by the rules of `rules`, from the folder in which it is started. Long sentences and cells are warnings; patterns
 * are counted, and `--show <rule>` (repeatable) lists where one stands.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listProseFiles } from './files.js';
import { lintProse } from './lint-prose.js';
import { PATTERNS } from './patterns.js';

const WARNINGS = new Set(['sentence-length', 'short-cells']);
const COUNTED = new Map(PATTERNS.map(({ rule }) => [rule, { pages: 0, lib: 0, cli: 0, explorer: 0 }]));

const { show } = parseArgs({ options: { show: { type: 'string', multiple: true, default: [] } } }).values;
const root = process.cwd();
const files = listProseFiles(root);
const faults = [];

for (const file of files) {
  for (const { rule, line, message } of await lintProse(file, readFileSync(join(root, file), 'utf8'))) {
    const counts = COUNTED.get(rule);
    if (counts !== undefined) counts[findArea(file)] += 1;
    if (show.includes(rule)) console.log(`${file}:${line} ${message} (${rule})`);
    else if (WARNINGS.has(rule)) console.warn(`${file}:${line} warning: ${message} (${rule})`);
    else if (counts === undefined) faults.push(`${file}:${line} ${message} (${rule})`);
  }
}
for (const { rule, most } of PATTERNS) {
  const counts = Object.entries(COUNTED.get(rule));
  console.log(`${rule.padEnd(20)} ${counts.map(([area, count]) => `${area} ${count}`).join(', ')}`);
  for (const [area, count] of counts)
    if (count > most[area])
      faults.push(
        `${rule} stands ${count} times in ${area}, and ${most[area]} times before: see --show ${rule}`,
      );
}
for (const fault of faults) console.error(fault);
if (faults.length === 0) console.log(`The prose of ${files.length} files is in order`);
process.exitCode = faults.length === 0 ? 0 : 1;

function findArea(file) {
  if (file.endsWith('.md')) return 'pages';
  return file.slice(0, file.indexOf('/'));
}
