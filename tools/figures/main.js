/**
 * Prints how large the sources are, and fails where a figure is above its limit: `npm run figures`. Limits only fall. The files that a call
 * executes are counted in what `npm run build:programs` compiles.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { countLargeConstructors, findSingleParts, readSources } from './sources.js';

const ROOT = join(import.meta.dirname, '../..');

const sources = readSources(ROOT);
const rooms = groupByRoom(sources);
for (const [room, files] of rooms)
  console.log(
    `${room.padEnd(9)} ${String(files.length).padStart(5)} files ${String(sum(files)).padStart(6)} lines of code`,
  );

const inLib = sources.filter(({ path }) => path.startsWith('lib/'));
const figures = [
  ['files of lib', inLib.length, 843],
  ['files of cli', rooms.get('cli').length, 283],
  ['lines of code of lib and cli', sum(inLib) + sum(rooms.get('cli')), 99_800],
  ['constructors with eight parts or more', countLargeConstructors(sources), 1],
  ['short files that only a neighbor imports', findSingleParts(sources).length, 25],
  ...['express', 'fastify', 'stdio'].flatMap((adapter) =>
    ['stateless', 'session'].map((wire) => [
      `files that a call executes on ${adapter}, ${wire}`,
      countExecutedFiles(adapter, wire),
      // A timer that is due meanwhile counts too.
      68,
    ]),
  ),
];
for (const [name, figure, limit] of figures) {
  const isAbove = figure > limit;
  console.log(
    `${String(figure).padStart(6)} of ${String(limit).padStart(6)}  ${name}${isAbove ? ': ABOVE ITS LIMIT' : ''}`,
  );
  if (isAbove) process.exitCode = 1;
}

function countExecutedFiles(adapter, wire) {
  const program = join(import.meta.dirname, 'executed-files.js');
  return Number(execFileSync(process.execPath, [program, adapter, wire], { encoding: 'utf8' }));
}

function groupByRoom(files) {
  const groups = new Map();
  for (const file of files) groups.set(file.room, [...(groups.get(file.room) ?? []), file]);
  return groups;
}

function sum(files) {
  return files.reduce((total, { lines }) => total + lines, 0);
}
