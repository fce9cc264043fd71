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
const [folder = join(import.meta.dirname, '../..'), reports = REPORTS] = positionals;

const surface = await readSurface(folder);
if (values.check) {
  const differences = findDifferences(surface, reports);
  for (const difference of differences) console.error(difference);
  process.exitCode = differences.length === 0 ? 0 : 1;
} else {
  writeReports(surface, reports);
}
