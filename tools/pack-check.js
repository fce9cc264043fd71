/** Packs the packages as they would be published, or takes files that are packed, and looks at what a user gets. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGES } from './entries.js';
import { PAGE } from './explorer/build-page.js';
import { findPackages } from './pack.js';
import { REPORTS, findDifferences } from './surface/reports.js';
import { readSurface } from './surface/surface.js';

const ROOT = join(import.meta.dirname, '..');

/** What is in the file of each package, and how large that may be when it is installed. */
const SERVER = {
  ...PACKAGES[0],
  reports: REPORTS,
  allowed: [
    /^(package\.json|README\.md|LICENSE)$/,
    /^schematics\/collection\.json$/,
    /^dist\/[\w./-]+\.(js|d\.ts|cjs)$/,
    /^dist\/explorer\/page\.html$/,
  ],
  required: ['README.md', 'LICENSE', 'schematics/collection.json', PAGE],
  mostBytes: 4_000_000,
  mostFiles: 60,
};
const CLI = {
  ...PACKAGES[1],
  reports: join(REPORTS, 'cli'),
  allowed: [
    /^(package\.json|README\.md|LICENSE)$/,
    /^schematics\/(collection|handler\.schema)\.json$/,
    /^dist\/[\w./-]+\.js$/,
  ],
  required: ['README.md', 'LICENSE', 'schematics/collection.json', 'schematics/handler.schema.json'],
  mostBytes: 2_000_000,
  mostFiles: 100,
};

function unpack(tarball, folder) {
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball], { cwd: folder });
  const unpacked = join(folder, 'package');
  symlinkSync(join(ROOT, 'node_modules'), join(unpacked, 'node_modules'));
  return unpacked;
}

function run(tool, args) {
  const { status } = spawnSync(join(ROOT, 'node_modules/.bin', tool), args, { cwd: ROOT, stdio: 'inherit' });
  return status === 0 ? [] : [`"${tool}" refuses the package`];
}

function checkFiles(unpacked, { allowed, required, entries, mostBytes, mostFiles }) {
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
  const bytes = files.reduce((sum, file) => sum + statSync(join(unpacked, file)).size, 0);
  console.log(`${files.length} files, ${bytes} bytes`);
  const places = [ROOT, homedir(), tmpdir()];
  const scripts = entries.map((entry) => `dist/${entry}.js`);
  return [
    ...(files.length > mostFiles ? [`It has ${files.length} files, and may have ${mostFiles}`] : []),
    ...(bytes > mostBytes ? [`It has ${bytes} bytes, and may have ${mostBytes}`] : []),
    ...[...required, ...scripts]
      .filter((file) => !files.includes(file))
      .map((file) => `"${file}" is not in the package`),
    ...files
      .filter((file) => !allowed.some((one) => one.test(file)))
      .map((file) => `"${file}" has no place in the package`),
    ...files
      .filter((file) =>
        places.some((place) => readFileSync(join(unpacked, file), 'utf8').includes(`${place}/`)),
      )
      .map((file) => `"${file}" names a folder of this machine`),
  ];
}

/** Each is started as a program: one that is a program is asked for its usage, and the others do nothing but load. */
function loadEntries(unpacked, { entries }) {
  return entries
    .filter((entry) => {
      const file = join(unpacked, 'dist', `${entry}.js`);
      const stdio = ['ignore', 'ignore', 'inherit'];
      return spawnSync(process.execPath, [file, '--help'], { cwd: unpacked, stdio }).status !== 0;
    })
    .map((entry) => `"dist/${entry}.js" does not load`);
}

/** What npm would change of the package before it is published is a fault of the package. */
function tryPublishing(unpacked) {
  const args = [
    'publish',
    unpacked,
    '--dry-run',
    '--ignore-scripts',
    '--provenance=false',
    '--loglevel=warn',
  ];
  const { status, stderr } = spawnSync('npm', args, { cwd: ROOT, encoding: 'utf8' });
  const isTaken = status === 0 && !stderr.includes('npm auto-corrected');
  return isTaken ? [] : [`"npm publish" refuses the package, or changes it:\n${stderr}`];
}

/** What goes wrong can be read, though the package holds a bundle: functions have their names, and lines are short. */
function traceError(unpacked) {
  const script = "import('nestjs-mcp').then(({ describeServers }) => describeServers({ get: () => [] }))";
  const { stderr } = spawnSync(process.execPath, ['--eval', script], { cwd: unpacked, encoding: 'utf8' });
  return /at describeServers \(.*\/dist\/[\w/.-]+\.js:\d+:\d{1,3}\)/.test(stderr)
    ? []
    : [`An error cannot be traced:\n${stderr}`];
}

async function check(tarball, folder, rules) {
  const unpacked = unpack(tarball, folder);
  return [
    ...run('publint', ['run', tarball, '--strict']),
    ...checkFiles(unpacked, rules),
    ...loadEntries(unpacked, rules),
    ...tryPublishing(unpacked),
    ...findDifferences(await readSurface(unpacked), rules.reports),
    ...(rules === SERVER
      ? [...run('attw', [tarball, '--profile', 'esm-only', '--no-emoji']), ...traceError(unpacked)]
      : []),
  ];
}

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-pack-'));
try {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  const { server, cli } = findPackages(packed, process.argv.slice(2));
  const faults = [
    ...(await check(server, join(folder, 'server'), SERVER)),
    ...(await check(cli, join(folder, 'cli'), CLI)),
  ];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
