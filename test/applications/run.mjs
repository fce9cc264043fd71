/**
 * Packs the packages, or takes files that are packed, and installs them in applications that know nothing of them: see CONTRIBUTING.md. Two are
 * tried at once; names of applications choose some of them, and `--quick` leaves out their specs before.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPackages } from '../../tools/pack.js';

const AT_ONCE = 2;
const QUICK = '--quick';

const PROGRAM = join(import.meta.dirname, 'try-application.mjs');
const ALL = readdirSync(import.meta.dirname, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

const given = process.argv.slice(2);
const named = given.filter((name) => ALL.includes(name));
const quick = given.filter((name) => name === QUICK);
const files = given.filter((name) => !ALL.includes(name) && name !== QUICK);
const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-applications-'));

try {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  const packages = findPackages(packed, files);
  const waiting = named.length > 0 ? named : ALL;
  const failed = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!(await tryAlone(name, packages))) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (failed.length > 0)
    throw new Error(`These applications do not go on as they were: ${failed.join(', ')}`);
  console.log('Applications work as before, and their tools answer as their routes do');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Prints what it says once it has ended, so that two do not mix. */
async function tryAlone(name, { server, cli }) {
  const begun = performance.now();
  const child = spawn(process.execPath, [PROGRAM, name, join(folder, name), server, cli, ...quick], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  process.stdout.write(Buffer.concat(said));
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`# ${seconds} s: ${name} ${status === 0 ? 'works' : 'FAILED'}`);
  return status === 0;
}
