/** Packs the package as it would be published, or takes a file that is packed, and looks at what a user gets. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENTRIES } from './entries.js';
import { PAGE } from './explorer/build-page.js';
import { findPackage } from './pack.js';
import { REPORTS, findDifferences } from './surface/reports.js';
import { readSurface } from './surface/surface.js';

const ROOT = join(import.meta.dirname, '..');
const ALLOWED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^docs\/[\w/-]+\.md$/,
  /^docs\/grafana-dashboard\.json$/,
  /^docs\/images\/[\w/-]+\.(?:png|svg)$/,
  /^schematics\/(collection|handler\.schema)\.json$/,
  /^dist\/[\w./-]+\.(js|js\.map|d\.ts|cjs)$/,
  /^dist\/explorer\/page\.html$/,
];
const REQUIRED = [
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'schematics/collection.json',
  'schematics/handler.schema.json',
  PAGE,
  ...ENTRIES.flatMap((entry) => [`dist/${entry}.js`, `dist/${entry}.d.ts`]),
];

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

function checkFiles(unpacked) {
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(unpacked.length + 1));
  const places = [ROOT, homedir(), tmpdir()];
  return [
    ...REQUIRED.filter((file) => !files.includes(file)).map((file) => `"${file}" is not in the package`),
    ...files
      .filter((file) => !ALLOWED.some((one) => one.test(file)))
      .map((file) => `"${file}" has no place in the package`),
    ...files
      .filter((file) =>
        places.some((place) => readFileSync(join(unpacked, file), 'utf8').includes(`${place}/`)),
      )
      .map((file) => `"${file}" names a folder of this machine`),
  ];
}

/** Each is started as a program: the one that is a program is asked for its usage, and the others do nothing but load. */
function loadEntries(unpacked) {
  return ENTRIES.filter((entry) => {
    const file = join(unpacked, 'dist', `${entry}.js`);
    const stdio = ['ignore', 'ignore', 'inherit'];
    return spawnSync(process.execPath, [file, '--help'], { cwd: unpacked, stdio }).status !== 0;
  }).map((entry) => `"dist/${entry}.js" does not load`);
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

/** What goes wrong leads to the source, with its lines, though the package holds a bundle. */
function traceError(unpacked) {
  const script = "import('nestjs-mcp').then(({ describeServers }) => describeServers({ get: () => [] }))";
  const args = ['--enable-source-maps', '--eval', script];
  const { stderr } = spawnSync(process.execPath, args, { cwd: unpacked, encoding: 'utf8' });
  return /\/lib\/server\/[\w/-]+\.ts:\d+\n.*\S/.test(stderr)
    ? []
    : [`An error does not lead to its source:\n${stderr}`];
}

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-pack-'));
try {
  const tarball = findPackage(folder, process.argv[2]);
  const unpacked = unpack(tarball, join(folder, 'unpacked'));
  const faults = [
    ...run('publint', ['run', tarball, '--strict']),
    ...run('attw', [tarball, '--profile', 'esm-only', '--no-emoji']),
    ...checkFiles(unpacked),
    ...loadEntries(unpacked),
    ...tryPublishing(unpacked),
    ...traceError(unpacked),
    ...findDifferences(await readSurface(unpacked), REPORTS),
  ];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
