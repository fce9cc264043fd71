/**
 * Asks the registry what is known of weaknesses in what is installed with the package. It ends with 1 if there are any, and with 3 if
 * the registry cannot be asked: that is no finding, and a build need not fail for it.
 */
import { spawnSync } from 'node:child_process';

const NOT_ASKED = 3;
const LONGEST_MS = 60_000;

const { stdout, error } = spawnSync(
  'npm',
  ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'],
  { encoding: 'utf8', timeout: LONGEST_MS, stdio: ['ignore', 'pipe', 'ignore'] },
);
const report = parse(stdout);

if (error !== undefined || report?.vulnerabilities === undefined) {
  const reason = error?.message ?? report?.message ?? report?.error?.summary ?? 'npm says nothing';
  console.error(`The registry could not be asked for known vulnerabilities: ${reason}`);
  process.exitCode = NOT_ASKED;
} else {
  const found = Object.values(report.vulnerabilities);
  for (const one of found) console.error(describe(one));
  if (found.length === 0)
    console.log('Nothing that is installed with this package has a known vulnerability');
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
