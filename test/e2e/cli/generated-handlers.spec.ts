import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll } from '@jest/globals';
import { HANDLER_KINDS } from '../../../cli/generators/handler-kinds.js';
import { planHandler } from '../../../cli/generators/plan-handler.js';

/** Writes every kind of handler as for an application with Vitest, and gives the files of their tests. */
function generate(folder: string, manifest: object): readonly string[] {
  const files = new Map([['package.json', JSON.stringify(manifest)]]);
  const project = {
    read: (path: string) => files.get(path),
    findVersion: () => undefined,
    list: () => ({ files: [], folders: [] }),
  };
  for (const kind of Object.values(HANDLER_KINDS)) {
    const { changes } = planHandler(kind, { name: 'create-order', skipImport: true }, project);
    for (const { path, text } of changes) files.set(path, text);
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return [...files.keys()].filter((path) => path.endsWith('.spec.ts')).map((path) => join(folder, path));
}

const own = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: { zod: string } };
const dependencies = { zod: own.devDependencies.zod };
const manifest = { name: 'shop', type: 'module', devDependencies: { vitest: '^4.1.2' } };
const folders: string[] = [];

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** What runs here are the tests that the generators wrote, with zod and with JSON Schema (WAY-01). */
for (const members of [{ ...manifest, dependencies }, manifest]) {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-generated-'));
  folders.push(folder);
  for (const spec of generate(folder, members)) await import(spec);
}
