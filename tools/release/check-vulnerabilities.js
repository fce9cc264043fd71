/**
 * Asks the registry what is known of weaknesses in what is installed with the package or is in its page. It ends with 1 if there are any,
 * and with 3 if the registry cannot be asked: that is no finding, and a build need not fail for it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { listShippedPlaces } from './locked-packages.js';

const NOT_ASKED = 3;
const LONGEST_MS = 60_000;
const LONGEST_BYTES = 64 * 1024 * 1024;

// For npm, what is in the page is for development: it is asked about everything, and what users do not get is left out here.
const { stdout, error } = spawnSync(
  'npm',
  ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=20000'],
  { encoding: 'utf8', timeout: LONGEST_MS, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: LONGEST_BYTES },
);
const report = parse(stdout);

if (error !== undefined || report?.vulnerabilities === undefined) {
  const reason = error?.message ?? report?.message ?? report?.error?.summary ?? 'npm says nothing';
  console.error(`The registry could not be asked for known vulnerabilities: ${reason}`);
  process.exitCode = NOT_ASKED;
} else {
  const shipped = listShippedPlaces(JSON.parse(readFileSync('package-lock.json', 'utf8')));
  const found = Object.values(report.vulnerabilities).filter(({ nodes }) =>
    nodes.some((place) => shipped.has(place)),
  );
  for (const one of found) console.error(describe(one));
  if (found.length === 0)
    console.log('Nothing that is installed with this package or is in its page has a known vulnerability');
  process.exitCode = found.length === 0 ? 0 : 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe({ name, severity, range, via, fixAvailable }) {
  const reasons = via.map((one) =>
    typeof one === 'string' ? `through "${one}"` : `${one.title} (${one.url})`,
  );
  const fix = fixAvailable ? 'run "npm audit fix"' : 'there is no fixed version yet';
  return `${severity}: "${name}" ${range}: ${reasons.join('; ')}; ${fix}`;
}
