import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { editJest } from '../../../cli/application/edit-jest.js';

interface Settings {
  transform: Record<string, unknown>;
  transformIgnorePatterns: string[];
}

const ESM = [
  'nestjs-mcp/dist/index.js',
  '@nestjs/core/index.js',
  'jose/dist/webapi/index.js',
  'oauth4webapi/build/index.js',
];
const ALLOWED_OPTIONS = [
  '/app/node_modules/',
  '/repo/apps/server/node_modules/',
  '/app/node_modules/.pnpm/x@1.0.0/node_modules/',
];
const PATHS = ALLOWED_OPTIONS.flatMap((place) => ESM.map((file) => place + file));

/** What Jest does with a file: the first transform that fits, unless a pattern ignores it. */
function findCompiler({ transform, transformIgnorePatterns }: Settings, path: string): unknown {
  if (transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(path))) return 'ignored';
  return Object.entries(transform).find(([pattern]) => new RegExp(pattern).test(path))?.[1];
}

function edit(text: string, presets: Readonly<Record<string, string>> = {}) {
  return editJest({ text, readPreset: (path) => presets[path] });
}

function evaluate(text: string): Settings {
  const body = text.replace(/^import .*$/gm, '').replace(/module\.exports\s*=|export default/, 'return');
  const program = `JSON.stringify((() => { ${body.replace(/: Config\b/, '')} })())`;
  return JSON.parse(runInNewContext(program) as string) as Settings;
}

const SWC = ['@swc/jest', { jsc: { target: 'es2022' } }];

describe('editJest', () => {
  it.each([
    ['a lookahead', String.raw`/node_modules/(?!(nanoid|uuid)(?:/|$))`],
    [
      'a lookahead of two parts',
      String.raw`/node_modules/(?!.pnpm|nanoid|uuid|image-dimensions)(?!\\.pnpm/nanoid)`,
    ],
    ['a lookahead before the slash', 'node_modules(?!/(nanoid|uuid)/)'],
    ['a lookahead at the beginning', String.raw`^(?!.*/(nanoid|uuid)/).+/node_modules/.+\\.js$`],
    ['separators of both systems', String.raw`[/\\\\]node_modules[/\\\\](?!(nanoid|uuid)[/\\\\])`],
    ['the folder alone', '/node_modules/'],
    ['its name alone', 'node_modules'],
    ['files of the folder', String.raw`/node_modules/.+\\.(js|jsx)$`],
  ])('merges the packages into %s, and leaves others as they were (APP-05)', (_, pattern) => {
    const settings = `{ "transform": { "^.+\\\\.(t|j)s$": "ts-jest" }, "transformIgnorePatterns": ["\\\\.css$", "${pattern}"] }`;
    const before = JSON.parse(settings) as Settings;
    const after = JSON.parse(edit(settings).text ?? '{}') as Settings;
    for (const path of PATHS) expect([path, findCompiler(after, path)]).toEqual([path, SWC]);
    for (const file of ['express/index.js', 'nanoid/index.js', 'uuid/x.js', 'a/x.css', 'jose-parser/x.js']) {
      for (const place of ALLOWED_OPTIONS)
        expect(findCompiler(after, place + file)).toEqual(findCompiler(before, place + file));
    }
    expect(findCompiler(after, '/app/src/a.service.ts')).toBe('ts-jest');
  });

  it('merges two patterns, of which each ignores the packages (APP-05)', () => {
    const settings =
      '{ "preset": "ts-jest", "transformIgnorePatterns": ["/node_modules/(?!nanoid)", "node_modules/(?!uuid)"] }';
    const after = JSON.parse(edit(settings).text ?? '{}') as Settings;
    for (const path of PATHS) expect(findCompiler(after, path)).toEqual(SWC);
  });

  it.each([
    [
      'several transforms',
      `{ 'nanoid.+\\\\.js$': 'own.js', '^.+\\\\.(t|j)sx?$': ['ts-jest', { tsconfig: 'x.json' }] }`,
    ],
    ['a transform that is spread', `{ ...{ '^.+\\\\.tsx?$': 'ts-jest' } }`],
    ['no transform', '{}'],
  ])('puts the compiler before %s (APP-05)', (_, transform) => {
    const settings = `import type { Config } from 'jest';\nconst config: Config = {\n  transform: ${transform},\n};\nexport default config;\n`;
    const before = evaluate(settings);
    const after = evaluate(edit(settings).text ?? '');
    for (const path of PATHS) expect(findCompiler(after, path)).toEqual(SWC);
    expect(Object.entries(after.transform).slice(1)).toEqual(Object.entries(before.transform));
  });

  it.each([
    ['module.exports = {', '};'],
    ['/** @type {import("jest").Config} */\nmodule.exports = {', '};'],
    ['export default {', '} satisfies Config;'],
  ])('finds the settings in %s (APP-05)', (begin, end) => {
    const { text } = edit(`${begin}\n  preset: 'ts-jest',\n  testEnvironment: 'node'\n${end}\n`);
    const after = evaluate((text ?? '').replace(' satisfies Config', ''));
    for (const path of PATHS) expect(findCompiler(after, path)).toEqual(SWC);
    expect(after).toMatchObject({ preset: 'ts-jest', testEnvironment: 'node' });
  });

  it('keeps the transform that Jest has by itself (APP-05)', () => {
    const after = JSON.parse(edit('{ "rootDir": "src" }').text ?? '{}') as Settings;
    expect(findCompiler(after, '/app/src/a.ts')).toBe('babel-jest');
    for (const path of PATHS) expect(findCompiler(after, path)).toEqual(SWC);
  });

  it('adds no compiler to one that compiles all files already (APP-05)', () => {
    const after = JSON.parse(
      edit('{ "transform": { "^.+\\\\.(t|j)s$": "@swc/jest" } }').text ?? '{}',
    ) as Settings;
    expect(after.transform).toEqual({ [String.raw`^.+\.(t|j)s$`]: '@swc/jest' });
    for (const path of PATHS) expect(findCompiler(after, path)).toBe('@swc/jest');
  });

  it('merges the settings of each project (APP-05)', () => {
    const one = `{ displayName: 'a', preset: 'ts-jest' }`;
    const { text = '' } = edit(`module.exports = { projects: [${one}, ${one}] };`);
    const { projects } = evaluate(text) as unknown as { projects: Settings[] };
    for (const project of projects) expect(findCompiler(project, PATHS[0] ?? '')).toEqual(SWC);
    expect(projects).toHaveLength(2);
  });

  it('changes nothing the second time (APP-05)', () => {
    const { text = '' } = edit(
      '{ "preset": "ts-jest", "transformIgnorePatterns": ["/node_modules/(?!nanoid)"] }',
    );
    expect(edit(text)).toEqual({ text, members: [] });
  });

  it.each([
    ['settings that are spread', 'module.exports = { ...base, testEnvironment: "node" };'],
    [
      'patterns that are computed',
      'module.exports = { preset: "ts-jest", transformIgnorePatterns: patterns };',
    ],
    [
      'a pattern that is computed',
      'module.exports = { preset: "ts-jest", transformIgnorePatterns: [`/node_modules/(?!${esm})`] };',
    ],
    ['a pattern that ignores everything', '{ "preset": "ts-jest", "transformIgnorePatterns": [".*"] }'],
    ['a transform that is computed', 'module.exports = { transform: preset.transform };'],
    ['settings of a function', 'module.exports = async () => ({ preset: "ts-jest" });'],
    ['projects of other files', 'module.exports = { projects: ["<rootDir>/apps/*"] };'],
    ['a preset with patterns of its own', '{ "preset": "./jest.preset.js" }'],
    ['a preset that is not there', '{ "preset": "../jest.preset.js" }'],
  ])('leaves %s to their author, and says what to write (APP-05)', (_, settings) => {
    const { text, members } = edit(settings, {
      './jest.preset.js': 'module.exports = { transformIgnorePatterns: [] }',
    });
    expect(text).toBeUndefined();
    expect(members).toEqual([
      expect.stringMatching(/^transform: .*"@swc\/jest"/),
      expect.stringContaining('(nestjs-mcp|@nestjs'),
    ]);
  });

  it('says the merged pattern if only the transform is left to the author (APP-05)', () => {
    const { members } = edit(
      'module.exports = { transform: own, transformIgnorePatterns: ["/node_modules/(?!nanoid)"] };',
    );
    expect(members[1]).toMatch(
      /^transformIgnorePatterns: \["\/node_modules\/\(\?!.*oauth4webapi\)\/\|nanoid\)"\]$/,
    );
  });
});
