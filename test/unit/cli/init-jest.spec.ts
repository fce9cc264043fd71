import { describe, expect, it } from '@jest/globals';
import { JEST_COMPILERS } from '../../../cli/application/edit-jest.js';
import { CLIENT } from '../../../cli/generators/plan-spec.js';
import type { Project } from '../../../cli/application/project-folder.js';
import { planInit } from '../../../cli/init/plan-init.js';
import { COMMONJS, ESM, JEST, JEST_CONFIG } from './schematics/applications.js';

const IGNORED = ['/node_modules/(?!(\\.pnpm/[^/]+/node_modules/)?(nestjs-mcp|@nestjs|jose|oauth4webapi)/)'];
const SWC = {
  [String.raw`/node_modules/(nestjs-mcp|@nestjs|jose|oauth4webapi)/.+\.js$`]: [
    '@swc/jest',
    { jsc: { target: 'es2022' } },
  ],
};

function init(files: Readonly<Record<string, string>>) {
  const project: Project = { read: (path) => files[path], findVersion: () => undefined };
  const { changes, notes } = planInit(project, { name: 'greeting' });
  const after = { ...files, ...Object.fromEntries(changes.map(({ path, text }) => [path, text])) };
  return { after, notes, manifest: JSON.parse(after['package.json'] ?? '') as typeof MANIFEST };
}

const MANIFEST = JSON.parse(COMMONJS['package.json'] ?? '') as {
  jest: object;
  devDependencies: Record<string, string>;
};

describe('"init" of an application that Jest tests', () => {
  it('has unit and end-to-end tests compile the package in CommonJS (KIT-02)', () => {
    const { after, manifest, notes } = init(COMMONJS);
    const mended = { transform: { ...SWC, ...JEST.transform }, transformIgnorePatterns: IGNORED };
    expect(manifest.jest).toEqual({ ...JEST, ...mended });
    expect(manifest.devDependencies).toEqual({
      ...MANIFEST.devDependencies,
      'nestjs-mcp-cli': expect.any(String),
      ...JEST_COMPILERS,
    });
    expect(JSON.parse(after['test/jest-e2e.json'] ?? '')).toMatchObject({ ...mended, rootDir: '.' });
    expect(after['test/jest-e2e.json']).toContain('  "moduleFileExtensions": ["js", "json", "ts"],\n');
    expect(notes).toEqual([]);
  });

  it('does so for each application of a monorepo (KIT-02)', () => {
    const { after } = init({
      ...COMMONJS,
      'nest-cli.json': '{ "projects": { "desk": { "root": "apps/desk" }, "ui": { "root": "libs/ui" } } }',
      'apps/desk/test/jest-e2e.json': COMMONJS['test/jest-e2e.json'] ?? '',
    });
    expect(after['apps/desk/test/jest-e2e.json']).toBe(after['test/jest-e2e.json']);
  });

  it('changes nothing the second time (KIT-02)', () => {
    const { after } = init(COMMONJS);
    expect(init(after).after).toEqual(after);
  });

  it('edits settings in TypeScript (KIT-02)', () => {
    const { jest: _, ...manifest } = MANIFEST;
    const { after, notes } = init({
      ...COMMONJS,
      'package.json': JSON.stringify(manifest),
      'jest.config.ts': JEST_CONFIG,
    });
    const own = `'/node_modules/(nestjs-mcp|@nestjs|jose|oauth4webapi)/.+\\\\.js$': ['@swc/jest', { jsc: { target: 'es2022' } }],`;
    expect(after['jest.config.ts']).toContain(
      `  transform: {\n    ${own}\n    '^.+\\\\.(t|j)s$': 'ts-jest',\n  },\n`,
    );
    expect(after['jest.config.ts']).toContain(
      `  transformIgnorePatterns: ['/node_modules/(?!(\\\\.pnpm/[^/]+/node_modules/)?(nestjs-mcp|@nestjs|jose|oauth4webapi)/)'],\n};`,
    );
    expect(notes).toEqual([]);
  });

  it.each([
    ['Vitest', ESM],
    ['ES modules', { ...COMMONJS, 'package.json': JSON.stringify({ ...MANIFEST, type: 'module' }) }],
  ])('leaves Jest alone in an application of %s (KIT-02)', (_, files) => {
    const { after, notes } = init(files);
    expect(after['package.json']).not.toContain('swc');
    expect(after['test/jest-e2e.json']).toBe(files['test/jest-e2e.json']);
    expect(notes).toEqual([]);
  });

  it('asks for the packages that this one is tested with (KIT-02)', async () => {
    const { readFileSync } = await import('node:fs');
    const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
      peerDependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(own.peerDependencies).toMatchObject(CLIENT);
    expect(own.devDependencies).toMatchObject({ '@swc/jest': JEST_COMPILERS['@swc/jest'] });
  });
});
