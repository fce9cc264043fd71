/** Checks the licences of all that is installed with the package: its dependencies, the peers that it needs, and theirs. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** What asks for no more than to be named. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);

const root = process.cwd();
const installed = new Map();
const faults = [];

collect(root);
for (const [folder, { name, version, licence }] of installed) {
  if (folder === root || isAllowed(licence)) continue;
  faults.push(
    `"${name}" ${version} is under "${licence}", which nobody has allowed: see tools/release/check-licences.js`,
  );
}
for (const fault of faults) console.error(fault);
if (faults.length === 0)
  console.log(`${installed.size - 1} packages are installed with this one, under ${listLicences()}`);
process.exitCode = faults.length === 0 ? 0 : 1;

function collect(folder) {
  if (installed.has(folder)) return;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, licenses = [] } = manifest;
  const older = licenses.map((one) => one.type ?? one).join(' OR ');
  installed.set(folder, { name, version, licence: license?.type ?? license ?? older });
  for (const [dependency, isNeeded] of listDependencies(manifest)) {
    const found = find(dependency, folder);
    if (found !== undefined) collect(found);
    else if (isNeeded) faults.push(`"${dependency}" of "${name}" is not installed: run "npm ci"`);
  }
}

function listDependencies({
  dependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta = {},
}) {
  const optional = Object.keys(optionalDependencies ?? {});
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (peer) => peerDependenciesMeta[peer]?.optional !== true,
  );
  const needed = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !optional.includes(name));
  return [...needed.map((name) => [name, true]), ...optional.map((name) => [name, false])];
}

/** Looks where Node looks. */
function find(name, folder) {
  for (let place = folder; ; place = dirname(place)) {
    const candidate = join(place, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (place === resolve('/')) return undefined;
  }
}

/** @param licence an expression of SPDX */
function isAllowed(licence) {
  const text = licence.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (/ OR /.test(text)) return text.split(' OR ').some(isAllowed);
  return text.split(' AND ').every((one) => ALLOWED.has(one.trim()));
}

function listLicences() {
  const names = new Set([...installed].map(([, { licence }]) => licence));
  return [...names].toSorted((one, other) => one.localeCompare(other)).join(', ');
}
