import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './shell.mjs';

const { name, exports, peerDependenciesMeta } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Compiles an application that imports every entry, checks the declarations of its packages, and has no optional package. */
export function tryTypings(folder, { server }) {
  const app = join(folder, 'typings');
  mkdirSync(app);
  writeJson(join(app, 'package.json'), { private: true, type: 'module' });
  run(app, 'npm', 'install', '--no-audit', '--no-fund', server, 'typescript', '@types/node');
  for (const optional of Object.keys(peerDependenciesMeta)) {
    assert.ok(!existsSync(join(app, 'node_modules', optional)), `"${optional}" is installed`);
  }
  writeFileSync(join(app, 'main.ts'), listEntries().map(formatImport).join('\n'));
  writeJson(join(app, 'tsconfig.json'), {
    compilerOptions: {
      experimentalDecorators: true,
      module: 'nodenext',
      noEmit: true,
      skipLibCheck: false,
      strict: true,
      target: 'es2023',
      types: ['node'],
    },
    files: ['main.ts'],
  });
  run(app, 'npx', 'tsc', '-p', '.');
}

function listEntries() {
  return Object.keys(exports)
    .filter((path) => !path.endsWith('.json'))
    .map((path) => path.replace('.', name));
}

function formatImport(entry, index) {
  return `import * as entry${index} from '${entry}';\nexport { entry${index} };`;
}

function writeJson(file, content) {
  writeFileSync(file, JSON.stringify(content));
}
