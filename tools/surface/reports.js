import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Where the reports are that a change of the surface is compared with. */
export const REPORTS = join(ROOT, 'test/surface');

/** Writes a surface down, and removes the reports of entries that are gone. */
export function writeReports(surface, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of listReports(folder)) if (!surface.has(name)) rmSync(join(folder, name));
  for (const [name, text] of surface) writeFileSync(join(folder, name), text);
}

/** Says how a surface differs from its reports, as a text for each report that it does not match. */
export function findDifferences(surface, folder) {
  const names = new Set([...surface.keys(), ...listReports(folder)]);
  return [...names].flatMap((name) => findDifference(join(folder, name), surface.get(name) ?? ''));
}

function listReports(folder) {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
}

function findDifference(file, text) {
  const name = relative(ROOT, file);
  const labels = ['-L', name, '-L', 'what the package has'];
  const old = existsSync(file) ? file : '/dev/null';
  const { status, stdout, error } = spawnSync('diff', ['-U', '5', ...labels, old, '-'], {
    input: text,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  if (status === 0) return [];
  return `The public surface is not as "${name}" has it:\n\n${stdout}\nIf the change is meant, run "npm run surface" and commit the report with it\n`;
}
