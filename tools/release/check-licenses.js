/**
 * Checks the licenses of all that is installed with the packages, their dependencies, the peers that it needs, and theirs, and of what is in
 * its page. What makes the site is checked too, since its pages have parts of it: by the lock file, as nobody needs to install it for that.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeFault, isAllowed, readLicense } from './licenses.js';
import { listDependencies, listPagePackages } from './shipped-packages.js';

const root = process.cwd();
const shipped = new Map();
const faults = [];
const SITE = 'tools/site/package-lock.json';

const own = [root, join(root, 'cli')];
for (const folder of own) collect(folder);
for (const [folder, found] of shipped) {
  if (!own.includes(folder) && !isAllowed(found.license)) faults.push(describeFault(found));
}
const ofSite = listSite();
for (const found of ofSite) if (!isAllowed(found.license)) faults.push(describeFault(found));
for (const fault of faults) console.error(fault);
if (faults.length === 0)
  console.log(
    `${shipped.size - own.length} packages are installed with this one, with its command line, or are in its page, and ${ofSite.length} make its site, under ${listLicenses()}`,
  );
process.exitCode = faults.length === 0 ? 0 : 1;

function collect(folder) {
  if (shipped.has(folder)) return;
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  shipped.set(folder, { name, version, license: readLicense(manifest) });
  const inPage = folder === root ? listPagePackages(manifest).map((one) => [one, true]) : [];
  for (const [dependency, isNeeded] of [...listDependencies(manifest), ...inPage]) {
    const found = find(dependency, folder);
    if (found !== undefined) collect(found);
    else if (isNeeded) faults.push(`"${dependency}" of "${name}" is not installed: run "npm ci"`);
  }
}

/** Looks where Node looks. */
function find(name, folder) {
  for (let place = folder; ; place = dirname(place)) {
    const candidate = join(place, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (place === resolve('/')) return undefined;
  }
}

function listSite() {
  if (!existsSync(SITE)) return [];
  const { packages } = JSON.parse(readFileSync(SITE, 'utf8'));
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .map(([place, entry]) => ({
      name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      license: readLicense(entry),
    }));
}

function listLicenses() {
  const names = new Set([...shipped.values(), ...ofSite].map(({ license }) => license));
  return [...names].toSorted((one, other) => one.localeCompare(other)).join(', ');
}
