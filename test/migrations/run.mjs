/**
 * Packs the packages, or takes files that are packed, and migrates applications of both releases of another package with them: see
 * CONTRIBUTING.md. Two are tried at once; names of applications choose some of them, and `--quick` leaves out their specs before.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPackages } from '../../tools/pack.js';
import { run } from '../install/shell.mjs';

const AT_ONCE = Number(process.env.AT_ONCE ?? 2);
const QUICK = '--quick';

const PROGRAM = join(import.meta.dirname, 'try-migration.mjs');
const ALL = readdirSync(import.meta.dirname).filter((name) => /^(?!release).*-[12]$/.test(name));

const given = process.argv.slice(2);
const named = given.filter((name) => ALL.includes(name));
const files = given.filter((name) => !ALL.includes(name) && name !== QUICK);
const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-migrations-'));

try {
  mkdirSync(join(folder, 'packed'));
  const packed = findPackages(join(folder, 'packed'), files);
  const waiting = named.length > 0 ? named : ALL;
  for (const release of new Set(waiting.map((name) => name.at(-1)))) installRelease(release);
  const failed = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!(await tryAlone(name, packed))) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failed.length > 0)
    throw new Error(`These applications are not migrated to green: ${failed.join(', ')}`);
  console.log('Migrated applications build, start, pass their specs and answer their clients as before');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** All applications of a release share what is installed. */
function installRelease(release) {
  const packages = join(folder, `packages-${release}`);
  cpSync(join(import.meta.dirname, `release-${release}`), packages, { recursive: true });
  run(packages, 'npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline');
}

/** Prints what it says once it has ended, so that two do not mix. */
async function tryAlone(name, packed) {
  const begun = performance.now();
  const packages = join(folder, `packages-${name.at(-1)}`);
  const args = [
    PROGRAM,
    name,
    join(folder, name),
    packages,
    packed.server,
    packed.cli,
    ...(given.includes(QUICK) ? [QUICK] : []),
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  process.stdout.write(Buffer.concat(said));
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`# ${seconds} s: ${name} ${status === 0 ? 'is migrated' : 'FAILED'}`);
  return status === 0;
}
