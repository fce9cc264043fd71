import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { callTool } from './call-tool.mjs';
import { tryDev } from './dev.mjs';
import { callHandlers, generateHandlers, generateNothing, KINDS } from './generators.mjs';
import { formatGreetingSpec } from './greeting-spec.mjs';
import { readPageFiles } from './page-files.mjs';
import { run } from './shell.mjs';

/** Makes an application of ES modules that Vitest tests, lets `init` add a server and generators handlers, and tries what the page of testing shows. */
export async function tryNest12(folder, { server, cli }) {
  run(folder, 'npx', '--yes', '@nestjs/cli@12', 'new', 'shop', '--package-manager', 'npm', '--skip-git');
  const app = join(folder, 'shop');
  run(app, 'npm', 'install', server, 'zod');
  run(app, 'npm', 'install', '--save-dev', cli);
  const untouched = readModule(app);
  await tryInit(app);
  trySchematic(app, untouched);
  tryVitest(app);
  await tryDev(app);
  await tryGenerators(app);
}

async function tryInit(app) {
  console.log(run(app, 'npx', 'nestjs-mcp-cli', 'init'));
  assert.match(readModule(app), /McpModule\.forRoot/);
  assert.match(run(app, 'npx', 'nestjs-mcp-cli', 'init'), /Everything is already set up/);
  run(app, 'npm', 'run', 'build');
  const { body } = await callTool(app, 'greet', { name: 'Ada' });
  assert.deepEqual(JSON.parse(body).result?.content, [{ type: 'text', text: 'Hello, Ada' }]);
}

function trySchematic(app, untouched) {
  const changed = readModule(app);
  writeFileSync(modulePath(app), untouched);
  rmSync(join(app, 'src/greeting.tools.ts'));
  run(app, 'npx', 'nest', 'generate', '-c', 'nestjs-mcp', 'nest-add');
  assert.equal(readModule(app), changed);
}

function tryVitest(app) {
  run(app, 'npm', 'install', '--save-dev', '@modelcontextprotocol/client');
  const imports = "import { expect, it } from 'vitest';";
  const ofJest = ([, text]) => text.includes("'@jest/globals'");
  const files = new Map([...readPageFiles('docs/testing.md')].filter((entry) => !ofJest(entry)));
  assert.ok(files.has('test/greeting.spec.ts'));
  files.set('src/greeting.spec.ts', formatGreetingSpec({ imports, appModule: './app.module.js' }));
  for (const [file, text] of files) {
    mkdirSync(dirname(join(app, file)), { recursive: true });
    writeFileSync(join(app, file), text);
  }
  run(app, 'npx', 'vitest', 'run');
  run(app, 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
}

/** What is generated is built, called, linted, formatted and tested; the one that asks for tokens comes last. */
async function tryGenerators(app) {
  rmSync(join(app, 'src/greeting.spec.ts'));
  const last = 'identity-provider';
  generateNothing(app);
  generateHandlers(
    app,
    KINDS.filter((kind) => kind !== last),
  );
  run(app, 'npm', 'run', 'build');
  await callHandlers(app);
  generateHandlers(app, [last]);
  run(app, 'npm', 'run', 'build');
  run(app, 'npm', 'run', 'lint');
  run(app, 'npx', 'prettier', '--check', 'src');
  run(app, 'npx', 'tsc', '--noEmit', '-p', 'tsconfig.json');
  run(app, 'npx', 'vitest', 'run', 'src');
  run(app, 'npm', 'run', 'test:e2e');
  assert.equal((await callTool(app, 'tool_sample', { text: 'one two' })).status, 401);
}

function modulePath(app) {
  return join(app, 'src/app.module.ts');
}

function readModule(app) {
  return readFileSync(modulePath(app), 'utf8');
}
