import { describe, expect, it } from '@jest/globals';
import { parseDevOptions } from '../../../../cli/dev/dev-options.js';
import { findScript } from '../../../../cli/dev/find-script.js';
import { buildRunArguments, findPackageManager } from '../../../../cli/dev/package-manager.js';

/** An application of some files. */
function createProject(files: Readonly<Record<string, string | object>>) {
  const texts = new Map(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string' ? file : JSON.stringify(file),
    ]),
  );
  return { read: (path: string) => texts.get(path), findVersion: () => undefined };
}

const find = (files: Readonly<Record<string, string | object>>, ...args: readonly string[]) =>
  findScript(createProject(files), parseDevOptions(args));

const NEST = { scripts: { start: 'nest start', dev: 'vite', 'start:dev': 'nest start --watch' } };
const MONOREPO = {
  'package.json': NEST,
  'nest-cli.json': {
    monorepo: true,
    projects: { shop: { type: 'application' }, common: { type: 'library' } },
  },
};

describe('findScript()', () => {
  it('finds that of the Nest CLI first, then "dev"', () => {
    expect(find({ 'package.json': NEST })).toEqual({ name: 'start:dev', args: [] });
    expect(find({ 'package.json': { scripts: { dev: 'tsx watch' } } }).name).toBe('dev');
  });

  it('takes the one that is named, and what it is called with', () => {
    expect(find({ 'package.json': NEST }, '--script', 'start', '--', '--debug')).toEqual({
      name: 'start',
      args: ['--debug'],
    });
  });

  it('has "nest start" start the project of a monorepo', () => {
    expect(find(MONOREPO, '--project', 'shop', '--', '--debug').args).toEqual(['shop', '--debug']);
  });

  it.each([
    ['there is no package.json', {}, [], 'There is no "package.json" in this folder'],
    ['it is no JSON', { 'package.json': '{' }, [], '"package.json" is not valid JSON'],
    ['there are no scripts', { 'package.json': {} }, [], 'add "start:dev": "nest start --watch"'],
    ['there is no such script', { 'package.json': NEST }, ['--script', 'serve'], 'has no script "serve"'],
    [
      'a name would be an option',
      { 'package.json': { scripts: { '-x': '' } } },
      ['--script=-x'],
      'has no script "-x"',
    ],
    [
      'it is no monorepo',
      { 'package.json': NEST },
      ['--project', 'shop'],
      '"nest-cli.json" has no "projects"',
    ],
    [
      'there is no such project',
      MONOREPO,
      ['--project', 'stock'],
      'There is no project "stock": the applications are "shop"',
    ],
    ['it is a library', MONOREPO, ['--project', 'common'], '"common" is a library, which cannot be started'],
    [
      'the script takes no project',
      MONOREPO,
      ['--project', 'shop', '--script', 'dev'],
      'a script that runs "nest start"',
    ],
  ])('says what to do if %s', (_, files, args, message) => {
    expect(() => find(files as Parameters<typeof find>[0], ...args)).toThrow(message);
  });
});

describe('parseDevOptions()', () => {
  it('refuses a word that is no option', () => {
    expect(() => parseDevOptions(['start:dev'])).toThrow('pass the script with "--script"');
  });

  it('opens a browser unless that is switched off', () => {
    expect(parseDevOptions([]).opensBrowser).toBe(true);
    expect(parseDevOptions(['--no-open']).opensBrowser).toBe(false);
    expect(parseDevOptions(['--', '--no-open']).opensBrowser).toBe(true);
  });
});

describe('findPackageManager()', () => {
  it.each([
    [
      'the member of package.json',
      { 'package.json': { packageManager: 'pnpm@10.1.0' }, 'yarn.lock': '' },
      'pnpm',
    ],
    ['a lockfile', { 'package.json': {}, 'yarn.lock': '' }, 'yarn'],
    ['a lockfile of bytes', { 'package.json': {}, 'bun.lockb': '' }, 'bun'],
    ['the workspace above', { 'package.json': {}, '../../pnpm-lock.yaml': '' }, 'pnpm'],
    ['the nearest of them', { 'package.json': {}, 'package-lock.json': '', '../yarn.lock': '' }, 'npm'],
  ])('goes by %s', (_, files, manager) => {
    expect(findPackageManager(createProject(files))).toBe(manager);
  });

  it('takes what runs the command if nothing says it, and npm in the end', () => {
    const project = createProject({ 'package.json': { packageManager: 'cargo@1' }, '../package.json': '{' });
    expect(findPackageManager(project, 'pnpm/10.1.0 npm/? node/v22')).toBe('pnpm');
    expect(findPackageManager(project)).toBe('npm');
  });
});

describe('buildRunArguments()', () => {
  it('sets what npm is to pass on apart', () => {
    expect(buildRunArguments('npm', 'dev', ['shop'])).toEqual(['run', 'dev', '--', 'shop']);
    expect(buildRunArguments('npm', 'dev', [])).toEqual(['run', 'dev']);
    expect(buildRunArguments('pnpm', 'dev', ['shop'])).toEqual(['run', 'dev', 'shop']);
  });
});
