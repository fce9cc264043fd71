import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../conformance/suite/install.mjs';
import { bundle, NEST_OPTIONALS } from './bundlers.mjs';
import { run } from './shell.mjs';

const PACKAGES = join(import.meta.dirname, 'runtimes');
const SERVER = 'try-runtime.mjs';
const findProgram = (name) => join(PACKAGES, 'node_modules/.bin', name);

/** What makes a single executable of Node. */
const INJECTION = ['esbuild@0.28', 'postject@1.0.0-alpha.6'];

/** What is installed of the packages that Nest looks for. */
const installed = ['@nestjs/platform-express'];

/** Where Node looks for what `postject` puts into it (Node.js, "Single executable applications"). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Has the packed package served and called under Bun and Deno, and in single executables of Bun and Node. */
export async function tryRuntimes(folder, { server }) {
  installPackages(PACKAGES);
  const app = join(folder, 'runtimes');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "name": "tried", "private": true, "type": "module" }');
  copyFileSync(join(PACKAGES, SERVER), join(app, SERVER));
  const nest = ['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@12`);
  run(app, 'npm', 'install', server, ...nest, '@modelcontextprotocol/client', 'zod', ...INJECTION);
  expectServed('Bun', run(app, findProgram('bun'), SERVER));
  expectServed('Deno', run(app, findProgram('deno'), 'run', '--allow-all', SERVER));
  // Nothing above it has packages that an executable could find after all.
  const place = mkdtempSync(join(tmpdir(), 'nestjs-mcp-executable-'));
  try {
    expectServed('An executable of Bun', run(place, compileWithBun(app, place)));
    expectServed('An executable of Node', run(place, await injectIntoNode(app, place)));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function expectServed(what, printed) {
  assert.equal(printed.trim(), 'served', `${what} did not serve`);
  console.log(`${what} serves and calls a tool`);
}

function compileWithBun(app, place) {
  const output = join(place, 'bun-server');
  const absent = NEST_OPTIONALS.filter((name) => !installed.includes(name));
  const external = absent.flatMap((name) => ['--external', name, '--external', `${name}/*`]);
  run(app, findProgram('bun'), 'build', '--compile', ...external, SERVER, '--outfile', output);
  return output;
}

/** Needs no newer Node than the oldest that the package runs on. */
async function injectIntoNode(app, place) {
  const output = join(place, 'node-server');
  const main = join(app, 'main.cjs');
  await bundle({ bundler: 'esbuild', format: 'cjs' }, { app, entry: SERVER, output: main, installed });
  writeFileSync(
    join(app, 'executable.json'),
    JSON.stringify({ main, output: 'main.blob', disableExperimentalSEAWarning: true }),
  );
  run(app, process.execPath, '--experimental-sea-config', 'executable.json');
  copyFileSync(process.execPath, output);
  run(app, 'node_modules/.bin/postject', output, 'NODE_SEA_BLOB', 'main.blob', '--sentinel-fuse', FUSE);
  return output;
}
