import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HANDLER_KINDS } from '../../../../cli/generators/handler-kinds.js';
import { createTree, readFiles, runSchematic } from './schematic-runner.js';

const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n`;
const FILES = {
  'package.json': '{ "name": "shop", "version": "1.0.0" }',
  'src/app.module.ts': MODULE,
};

beforeEach(() => void jest.spyOn(process, 'cwd').mockReturnValue(tmpdir()));
afterEach(() => void jest.restoreAllMocks());

describe('The schematic "init"', () => {
  it('makes the changes of the command (KIT-02)', async () => {
    const { tree } = await runSchematic('init', { name: 'first' }, FILES);
    expect(tree.readContent('src/app.module.ts')).toContain('providers: [FirstTools]');
    expect(tree.readContent('src/first.tools.ts')).toContain('export class FirstTools');
    expect(tree.readContent('package.json')).toContain('"nestjs-mcp"');
    const again = await runSchematic('init', { name: 'first' }, tree);
    expect(readFiles(again.tree)).toEqual(readFiles(tree));
  });

  it('says what it adds to the dependencies, and speaks of no handler (KIT-02)', async () => {
    const { warnings } = await runSchematic('init', { name: 'first' }, FILES);
    expect(warnings).toContain(
      'Added to package.json: "nestjs-mcp", "nestjs-mcp-cli"; they are being installed',
    );
    expect(warnings.join('\n')).not.toContain('andler');
  });

  it('says what to write by hand, and changes nothing (KIT-02)', async () => {
    const tree = createTree({ ...FILES, 'src/app.module.ts': MODULE.replace('{}', '{ imports }') });
    const before = readFiles(tree);
    await expect(runSchematic('init', {}, tree)).rejects.toThrow(
      /write this by hand:\n\nimport { McpModule }/,
    );
    await expect(runSchematic('init', { name: '../evil' }, tree)).rejects.toThrow('"--name" must consist of');
    expect(readFiles(tree)).toEqual(before);
  });

  it('stands in the collection beside a generator for each kind of handler (KIT-02, WAY-01)', () => {
    const text = readFileSync(new URL('../../../../cli/schematics/collection.json', import.meta.url), 'utf8');
    const { schematics } = JSON.parse(text) as { schematics: Record<string, object> };
    expect(Object.keys(schematics)).toEqual(['init', ...Object.keys(HANDLER_KINDS)]);
  });
});
