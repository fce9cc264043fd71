import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './shell.mjs';

/** Every kind of handler that there is a generator for. */
export const KINDS = readKinds();

/** Generates a handler of each kind by the Nest CLI of the application, each in a folder of its own. */
export function generateHandlers(app, kinds) {
  for (const kind of kinds) {
    console.log(run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp', kind, `sales/${kind}-sample`));
    assert.ok(readdirSync(join(app, `src/sales/${kind}-sample`)).includes(`${kind}-sample.${kind}.spec.ts`));
  }
}

/** Tries what must leave the application as it is. */
export function generateNothing(app) {
  const before = listFiles(app);
  run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp', 'tool', 'nothing', '--dry-run');
  for (const [kind, name] of [
    ['tool', 'delete'],
    ['tool', '1st'],
    ['unknown', 'nothing'],
  ]) {
    tryToRun(app, kind, name);
  }
  assert.deepEqual(listFiles(app), before);
}

/** The Nest CLI says what is wrong, and some of its releases end as if nothing were. */
function tryToRun(app, kind, name) {
  try {
    run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp', kind, name);
  } catch (error) {
    assert.equal(error.status, 1);
  }
}

function listFiles(app) {
  const files = readdirSync(join(app, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => [path, readFileSync(path, 'utf8')]);
}

function readKinds() {
  const { schematics } = JSON.parse(readFileSync(join(ROOT, 'schematics/collection.json'), 'utf8'));
  return Object.keys(schematics).filter((name) => !['init', 'nest-add'].includes(name));
}
