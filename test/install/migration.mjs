/** Migrates an application of another package as its developers would, and asks it the same before and afterwards. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './shell.mjs';

const SUITE = join(ROOT, 'test/e2e/cli/migrate');

const SETTINGS = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    outDir: 'dist',
    rootDir: 'src',
  },
  include: ['src'],
};

/** What the application and its test need besides what it declares. */
const NEEDED = [
  '@nestjs/common@11',
  '@nestjs/core@11',
  '@nestjs/platform-express@11',
  '@nestjs/jwt@11',
  '@nestjs/passport@11',
  'passport',
  'reflect-metadata@0.2',
  '@modelcontextprotocol/client@2',
  'typescript@5',
  '@types/node@22',
];

const PROGRAM = `
import { bootstrap } from './dist/main.js';
import { examineServer } from './dist/examine-server.js';
import { DESK } from './dist/questions.js';
const app = await bootstrap(0);
console.log(JSON.stringify(await examineServer((await app.getUrl()) + '/desk/mcp', DESK)));
await app.close();
process.exit();
`;

/** Tries release 1, of which only this installs the real one. */
export function tryMigration(folder, { server, cli }) {
  const app = join(folder, 'desk');
  cpSync(join(SUITE, 'fixtures/desk-1'), app, { recursive: true });
  for (const file of ['examine-server.ts', 'questions.ts']) cpSync(join(SUITE, file), join(app, 'src', file));
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(SETTINGS));
  writeFileSync(join(app, 'examine.mjs'), PROGRAM);
  widenNest(app);
  run(app, 'npm', 'install', '--legacy-peer-deps', ...NEEDED);
  const before = examine(app);
  assert.deepEqual(before, JSON.parse(readFileSync(join(SUITE, 'fixtures/desk-1/findings.json'), 'utf8')));
  run(app, 'npm', 'install', '--legacy-peer-deps', server);
  run(app, 'npm', 'install', '--legacy-peer-deps', '--no-save', cli);
  console.log(run(app, 'npx', 'nestjs-mcp-cli', 'migrate', '--yes'));
  run(app, 'npm', 'uninstall', '--legacy-peer-deps', '@rekog/mcp-nest');
  assert.deepEqual(examine(app), before);
}

/** The fixture names the newest Nest, which release 1 was not made for. */
function widenNest(app) {
  const file = join(app, 'package.json');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"^12.0.0"', '"^11.1.6"'));
}

function examine(app) {
  run(app, 'npx', 'tsc');
  return JSON.parse(run(app, process.execPath, 'examine.mjs').trim().split('\n').at(-1));
}
