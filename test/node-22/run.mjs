/** Runs `npm test` under Node 22, with the arguments that it is given. */
import { execFileSync, spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { findNode, installSuite } from '../conformance/suite/install.mjs';

const ROOT = join(import.meta.dirname, '../..');
const MAJOR = 22;

installSuite();
const node = findNode();
const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
if (!version.startsWith(`v${MAJOR}.`))
  throw new Error(`Node ${MAJOR} is needed, but "${node}" is ${version}: run this with Node ${MAJOR}`);
console.log(`${version} at ${node}`);

// First in PATH, it is the one that npm, npx and whatever a test starts by the name "node" run on.
const PATH = [dirname(node), process.env.PATH].join(delimiter);
const { status } = spawnSync('npm', ['test', '--', ...process.argv.slice(2)], {
  cwd: ROOT,
  env: { ...process.env, PATH },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
