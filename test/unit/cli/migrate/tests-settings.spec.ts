import { describe, expect, it } from '@jest/globals';
import { migrateFiles } from './migrate-files.js';

const TOOL = `import { Tool } from '@rekog/mcp-nest';
export class Shop {
  @Tool({ name: 'order', parameters: {} })
  order() {}
}
`;
const MANIFEST = `{
  "name": "shop",
  "dependencies": {
    "@rekog/mcp-nest": "^1.9.0"
  },
  "devDependencies": {
    "jest": "^30.0.0"
  },
  "jest": {
    "transform": { "^.+\\\\.(t|j)s$": "ts-jest" }
  }
}
`;
const END_TO_END = `{ "testRegex": ".e2e-spec.ts$", "transform": { "^.+\\\\.(t|j)s$": "ts-jest" } }\n`;
const FILES = { 'package.json': MANIFEST, 'test/jest-e2e.json': END_TO_END, 'src/shop.ts': TOOL };

interface Settings {
  readonly transform: Readonly<Record<string, unknown>>;
  readonly transformIgnorePatterns: readonly string[];
}

describe('The tests of a migrated application', () => {
  it('load this package: Jest compiles it, as after "init"', async () => {
    const { files, notes } = await migrateFiles(FILES);
    const manifest = JSON.parse(files['package.json'] ?? '') as {
      readonly jest: Settings;
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const settings = [manifest.jest, JSON.parse(files['test/jest-e2e.json'] ?? '') as Settings];
    for (const { transform, transformIgnorePatterns } of settings) {
      expect(Object.keys(transform)[0]).toContain('nestjs-mcp');
      expect(transformIgnorePatterns[0]).toContain('nestjs-mcp');
    }
    expect(manifest.devDependencies['@swc/jest']).toBeDefined();
    expect(notes).toEqual([]);
  });

  it('stay as they are once they are set up, in an ES module, and without Jest', async () => {
    const { files } = await migrateFiles(FILES);
    expect((await migrateFiles(files)).files).toEqual(files);
    const others = [
      MANIFEST.replace('{', '{ "type": "module",'),
      MANIFEST.replace('"jest": "^', '"vitest": "^'),
    ];
    for (const manifest of others) {
      const other = await migrateFiles({ ...FILES, 'package.json': manifest });
      expect(other.files['test/jest-e2e.json']).toBe(END_TO_END);
      expect(other.files['package.json']).not.toContain('@swc');
    }
  });

  it('are left to a person if their settings cannot be read', async () => {
    const { files, notes } = await migrateFiles({
      ...FILES,
      'jest.config.js': 'module.exports = makeSettings();\n',
    });
    expect(files['jest.config.js']).toBe('module.exports = makeSettings();\n');
    expect(notes.join('\n')).toContain('the settings in "jest.config.js" cannot be changed automatically');
  });
});
