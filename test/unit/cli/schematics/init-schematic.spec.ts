import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { addServer, type SchematicTree } from '../../../../lib/cli/schematics/init.schematic.js';

const ROOT = new URL('../../../../', import.meta.url);
const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n`;

/** A tree of files in memory, as strict as that of the Nest CLI. */
class Tree implements SchematicTree {
  readonly files = new Map([
    ['package.json', '{ "name": "shop", "version": "1.0.0" }'],
    ['src/app.module.ts', MODULE],
  ]);

  read(path: string) {
    const text = this.files.get(path);
    return text === undefined ? null : new TextEncoder().encode(text);
  }

  create(path: string, content: string) {
    if (this.files.has(path)) throw new Error(`"${path}" is there already`);
    this.files.set(path, content);
  }

  overwrite(path: string, content: string) {
    if (!this.files.has(path)) throw new Error(`"${path}" is not there`);
    this.files.set(path, content);
  }
}

describe('The schematic "init"', () => {
  it('makes the changes of the command (KIT-02)', () => {
    const tree = new Tree();
    expect(addServer({ name: 'first' })(tree)).toBe(tree);
    expect(tree.files.get('src/app.module.ts')).toContain('providers: [FirstTools]');
    expect(tree.files.get('src/first.tools.ts')).toContain('export class FirstTools');
    expect(tree.files.get('package.json')).toContain('"nestjs-mcp"');
    const before = [...tree.files];
    addServer({ name: 'first' })(tree);
    expect([...tree.files]).toEqual(before);
  });

  it('says what to write by hand, and changes nothing (KIT-02)', () => {
    const tree = new Tree();
    tree.files.set('src/app.module.ts', MODULE.replace('{}', '{ imports }'));
    const before = [...tree.files];
    expect(() => addServer({})(tree)).toThrow(/write this by hand:\n\nimport { McpModule }/);
    expect(() => addServer({ name: '../evil' })(tree)).toThrow('"--name" must be');
    expect([...tree.files]).toEqual(before);
  });

  it('is what the collection names (KIT-02)', () => {
    const text = readFileSync(new URL('schematics/collection.json', ROOT), 'utf8');
    const { schematics } = JSON.parse(text) as { schematics: Record<string, { factory: string }> };
    expect(Object.keys(schematics)).toEqual(['init', 'nest-add']);
    for (const { factory } of Object.values(schematics)) {
      const [file = '', name] = factory.split('#');
      const source = file.replace('../dist/', 'lib/').replace(/\.js$/, '.ts');
      expect(existsSync(fileURLToPath(new URL(source, ROOT)))).toBe(true);
      expect(name).toBe(addServer.name);
    }
  });
});
