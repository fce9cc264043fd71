/**
 * Writes the reports of the public surface from what the compiler wrote into `dist`; with `--check` it says where they differ.
 *
 * `node tools/surface/main.js [package] [reports]` looks at another package, and at other reports of it.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPORTS, findDifferences, writeReports } from './reports.js';
import { readSurface } from './surface.js';

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const ROOT = join(import.meta.dirname, '../..');
const OWN = [
  [ROOT, REPORTS],
  [join(ROOT, 'cli'), join(REPORTS, 'cli')],
];

for (const [folder, reports] of positionals.length > 0 ? [positionals] : OWN) {
  const surface = await readSurface(folder);
  const differences = values.check ? findDifferences(surface, reports) : [];
  for (const difference of differences) console.error(difference);
  if (differences.length > 0) process.exitCode = 1;
  if (!values.check) writeReports(surface, reports);
}
