/** Tries one application: `node try-application.mjs <name> <folder> <packed files> [--quick]`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../install/shell.mjs';
import { askRoutes, compareTools } from './compare.mjs';
import { compareOperations } from './compare-operations.mjs';
import { withApplication } from './with-application.mjs';

const [name, folder, packed, cli, quick] = process.argv.slice(2);
const source = join(import.meta.dirname, name);
const { default: application } = await import(pathToFileURL(join(source, 'application.mjs')).href);

cpSync(join(source, 'app'), folder, {
  recursive: true,
  filter: (path) => !/[/\\](?:node_modules|dist)$/.test(path),
});
const app = join(folder, application.folder ?? '.');

run(folder, 'npm', 'ci');
check(application.checks.filter((script) => quick === undefined || script === 'build'));
const before = await withApplication(app, application, askRoutes);

run(app, 'npm', 'install', packed);
run(app, 'npm', 'install', '--save-dev', cli);
assertInit(init());
writeFileSync(join(folder, '.gitignore'), 'node_modules');
run(folder, 'git', 'apply', '--verbose', join(source, 'mcp.patch'));
run(folder, 'npm', 'install');
check(application.checks);
run(app, 'npx', 'tsc', '--noEmit');
assert.match(init(), /already/);
await withApplication(app, application, async (running) => {
  assert.deepEqual(await askRoutes(running), before, 'Routes answer something else than before');
  await compareTools(running);
});
if (application.operations !== undefined) {
  await withApplication(app, application, (tools) =>
    withApplication(app, application, (routes) => compareOperations(tools, routes)),
  );
}

/** What its developers run before they commit. */
function check(scripts) {
  for (const script of scripts) console.log(run(app, 'npm', 'run', script).trim());
}

/** Gives all that it prints, notes on standard error too. */
function init() {
  const options = { cwd: app, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['nestjs-mcp-cli', 'init', ...(application.init ?? [])],
    options,
  );
  assert.equal(status, 0, stderr);
  return stdout + stderr;
}

function assertInit(said) {
  console.log(said.trim());
  for (const expected of application.initSays ?? []) assert.match(said, expected);
}
