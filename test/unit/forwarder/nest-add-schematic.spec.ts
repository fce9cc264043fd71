import { HostTree } from '@angular-devkit/schematics';
import { UnitTestTree } from '@angular-devkit/schematics/testing';
import { describe, expect, it } from '@jest/globals';
import { addServer } from '../../../lib/forwarder/nest-add.schematic.js';

interface AddedTask {
  readonly name: string;
  readonly options: object;
  readonly dependencies: readonly unknown[];
}

const INSTALLATION = { command: 'install', quiet: true };

/** Runs what `nest add nestjs-mcp` does in an application with these files. */
function add(files: Readonly<Record<string, string>>, options: object = {}) {
  const tree = new UnitTestTree(new HostTree());
  for (const [path, text] of Object.entries(files)) tree.create(path, text);
  const tasks: AddedTask[] = [];
  addServer(options)(tree, {
    addTask: (task, dependencies = []) => {
      tasks.push({ ...task.toConfiguration(), dependencies });
      return `task ${tasks.length}`;
    },
  });
  return { tasks, manifest: tree.exists('package.json') ? tree.readContent('package.json') : '' };
}

describe('The schematic "nest-add"', () => {
  it('adds the command line among the development dependencies, and nothing else (KIT-02)', () => {
    const { manifest } = add({
      'package.json':
        '{\n    "name": "shop",\n    "devDependencies": {\n        "jest": "^30.0.0",\n        "zod": "^4.2.0"\n    }\n}\n',
    });
    expect(manifest).toMatch(
      /^\{\n {4}"name": "shop",\n {4}"devDependencies": \{\n {8}"jest": "\^30\.0\.0",\n {8}"nestjs-mcp-cli": "\^\d+\.\d+\.\d+",\n {8}"zod": "\^4\.2\.0"\n {4}\}\n\}\n$/,
    );
  });

  it('has it installed, and then add a server with the options that it was given (KIT-02)', () => {
    const { tasks } = add({ 'package.json': '{ "name": "shop" }' }, { name: 'first' });
    expect(tasks).toEqual([
      { name: 'node-package', options: { ...INSTALLATION, packageManager: 'npm' }, dependencies: [] },
      {
        name: 'run-schematic',
        options: { collection: 'nestjs-mcp-cli', name: 'init', options: { name: 'first' } },
        dependencies: ['task 1'],
      },
    ]);
  });

  it.each([
    ['yarn.lock', 'yarn'],
    ['pnpm-lock.yaml', 'pnpm'],
    ['bun.lock', 'bun'],
  ])('goes by %s to %s (KIT-02)', (lockFile, packageManager) => {
    const { tasks } = add({ 'package.json': '{}', [lockFile]: '' });
    expect(tasks[0]?.options).toEqual({ ...INSTALLATION, packageManager });
  });

  it.each(['dependencies', 'devDependencies'])('installs nothing that is among the %s (KIT-02)', (member) => {
    const text = JSON.stringify({ [member]: { 'nestjs-mcp-cli': 'file:../cli.tgz' } });
    const { tasks, manifest } = add({ 'package.json': text });
    expect(manifest).toBe(text);
    expect(tasks.map(({ name }) => name)).toEqual(['run-schematic']);
  });

  it('is called in the folder of an application (KIT-02)', () => {
    expect(() => add({})).toThrow('"package.json" was not found');
  });
});
