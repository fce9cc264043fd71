import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '../layer-table.js';
import { ReleaseFolder } from './release-folder.js';

/** Runs a line with modules of `tools`, and gives what it prints, or why it fails. */
function run(line: string) {
  const options = { cwd: join(ROOT, 'tools'), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', line],
    options,
  );
  return { code: status, stdout, stderr };
}

/** What the page takes from rooms that import packages. */
const SHARED = ['lib/core/clients', 'lib/client/authorization/dpop.ts'];

describe('The packages of the page', () => {
  it('are those that its sources import (WAY-04)', () => {
    const files = execFileSync('git', ['ls-files', 'explorer', ...SHARED], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const sources = files
      .split('\n')
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(ROOT, file), 'utf8'));
    const imported = sources.flatMap((source) =>
      [...source.matchAll(/(?:from|import) '((?:@[^/']+\/)?[^./'@][^/']*)/g)].map(([, name = '']) => name),
    );
    const { stdout } = run(
      `import { PAGE_PACKAGES } from './release/shipped-packages.js'; console.log(JSON.stringify(PAGE_PACKAGES));`,
    );
    expect(JSON.parse(stdout)).toEqual([...new Set(imported)].toSorted());
  });
});

describe('The licenses in the page', () => {
  let folder: ReleaseFolder;
  afterEach(() => folder.remove());

  /** Formats the licenses of a page that is made of a file of one package. */
  function format(license: string, files: Readonly<Record<string, string>>) {
    folder = new ReleaseFolder({ 'node_modules/@desk/lamp/dist/lamp.js': '' });
    folder.write('node_modules/@desk/lamp/package.json', { name: '@desk/lamp', version: '1.0.0', license });
    for (const [name, text] of Object.entries(files)) folder.write(`node_modules/@desk/lamp/${name}`, text);
    const file = join(folder.path, 'node_modules/@desk/lamp/dist/lamp.js');
    return run(
      `import { formatLicenses } from './explorer/format-licenses.js'; console.log(formatLicenses([${JSON.stringify(file)}]));`,
    );
  }

  it('have their texts, which end no comment (WAY-04)', () => {
    const { code, stdout } = format('MIT', { 'LICENSE.md': 'Be named --> or be gone' });
    expect([code, stdout]).toEqual([0, '@desk/lamp 1.0.0, MIT\n\nBe named - -> or be gone\n']);
  });

  it.each([
    ['is not allowed', 'GPL-3.0-only', { LICENSE: 'Share' }, '"@desk/lamp" 1.0.0 is under "GPL-3.0-only"'],
    ['has no text', 'MIT', {}, '"@desk/lamp" 1.0.0 has no file with its license'],
  ])('stop the build if one of them %s (WAY-04)', (_, license, files, reason) => {
    const { code, stderr } = format(license, files);
    expect(code).toBe(1);
    expect(stderr).toContain(reason);
  });
});
