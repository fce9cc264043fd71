/** Migrates one application as its developers would: `node try-migration.mjs <name> <folder> <packages> <packed files> [--quick]`. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../install/shell.mjs';
import { examineApplication } from './examine.mjs';

const [name, folder, packages, packed, cli, quick] = process.argv.slice(2);
const source = join(import.meta.dirname, name);
const { default: application } = await import(pathToFileURL(join(source, 'application.mjs')).href);
const release = name.at(-1);

cpSync(join(import.meta.dirname, `release-${release}`), folder, { recursive: true });
for (const part of ['src', 'test'].filter((one) => existsSync(join(source, one))))
  cpSync(join(source, part), join(folder, part), { recursive: true, force: true });
// Files are linked: they are many, and npm replaces those that it changes.
execFileSync('cp', ['-al', join(packages, 'node_modules'), folder]);

check(quick === '--quick' ? ['build'] : undefined);
const before = await examineApplication(folder, application);
console.log(JSON.stringify(before, undefined, 2));

install('--no-save', packed, cli);
assertMigration(migrate());
// The packed file is not in a registry yet.
const manifest = join(folder, 'package.json');
writeFileSync(
  manifest,
  readFileSync(manifest, 'utf8').replace(/"nestjs-mcp": "[^"]+"/, `"nestjs-mcp": "file:${packed}"`),
);
install();
check();
assert.deepEqual(
  forget(await examineApplication(folder, application)),
  forget(before),
  'Clients find something else',
);

/** Leaves out what clients find more of than before: tools in lists, as the pages say, and progress that did not arrive in time. */
function forget(findings) {
  const { listsMore = [] } = application;
  return Object.fromEntries(
    Object.entries(findings).map(([endpoint, found]) => [
      endpoint,
      found.tools === undefined
        ? found
        : {
            ...forgetProgress(endpoint, found),
            tools: found.tools.filter((tool) => !listsMore.includes(tool.name)),
          },
    ]),
  );
}

function forgetProgress(endpoint, found) {
  return Object.fromEntries(
    Object.entries(found).map(([asked, answer]) => {
      const isMore = before[endpoint]?.[asked]?.progress?.length === 0;
      return [asked, isMore && answer !== 'refused' ? { ...answer, progress: [] } : answer];
    }),
  );
}

function install(...args) {
  run(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...args);
}

/** What its developers run before they commit. Jest leaves nothing open here, and is ended if it does. */
function check(scripts = application.isPiped ? ['build', 'test'] : ['build', 'test', 'test:e2e']) {
  for (const script of scripts) {
    const args = script === 'build' ? [] : ['--', '--forceExit', '--runInBand'];
    console.log(run(folder, 'npm', 'run', script, ...args).trim());
  }
}

function migrate() {
  const { status, stdout, stderr } = spawnSync('npx', ['nestjs-mcp-cli', 'migrate', '--yes'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return { stdout, stderr };
}

/** The places that are left are those that the application names, and the last lines say what to run. */
function assertMigration({ stdout, stderr }) {
  console.log(stdout + stderr);
  const left = [...stderr.matchAll(/^ {2}(\S+):\d+\n {4}(.+)$/gm)].map(
    ([, path, text]) => `${path}: ${text}`,
  );
  assert.deepEqual(
    left.map((text) => application.left.find((one) => one.test(text)) ?? text),
    application.left,
  );
  assert.match(stdout, /\nNext:\n {2}npm install\n(?: {2}.*\n)* {2}npm run build\n {2}npm test\n/);
}
