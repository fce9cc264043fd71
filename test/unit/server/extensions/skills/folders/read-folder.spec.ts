import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import {
  scanFolder,
  TreeTooLargeError,
  type TreeLimits,
} from '../../../../../../lib/server/extensions/skills/folders/read-folder.js';
import { SkillFolder } from '../../../../../support/applications/skill-folder.js';

describe('scanFolder', () => {
  let folder: SkillFolder;

  beforeEach(() => {
    folder = new SkillFolder();
  });

  afterEach(() => folder.remove());

  const scan = (limits: Partial<TreeLimits> = {}) =>
    scanFolder(folder.path, { entries: 100, depth: 10, ...limits });
  const stampOf = async (path: string) => (await scan()).files.get(path)?.stamp;

  it('finds files with their sizes, and folders with or without files, in the order of their names (XTN-01)', async () => {
    folder.write('b/2.md', 'two');
    folder.write('b/1.md', 'one!');
    folder.write('a.md', '');
    mkdirSync(folder.at('c/d'), { recursive: true });
    const { files, folders, skipped } = await scan();
    expect([...files].map(([path, { size, location }]) => [path, size, location])).toEqual([
      ['a.md', 0, folder.at('a.md')],
      ['b/1.md', 4, folder.at('b/1.md')],
      ['b/2.md', 3, folder.at('b/2.md')],
    ]);
    expect([...folders.keys()]).toEqual(['', 'b', 'c', 'c/d']);
    expect(skipped).toEqual([]);
  });

  it('counts files and folders, and refuses one more than it may have (XTN-01) (FAIR-02)', async () => {
    folder.write('a/1.md', '');
    folder.write('a/2.md', '');
    folder.write('.hidden/3.md', '');
    expect((await scan({ entries: 3 })).files.size).toBe(2);
    await expect(scan({ entries: 2 })).rejects.toThrow(TreeTooLargeError);
    await expect(scan({ entries: 2 })).rejects.toThrow('it has more than 2 files and folders');
  });

  it('refuses a folder that lies deeper than it may (XTN-01) (FAIR-02)', async () => {
    folder.write('a/b/c.md', '');
    expect((await scan({ depth: 2 })).files.size).toBe(1);
    await expect(scan({ depth: 1 })).rejects.toThrow('it has more than 1 nested folders');
  });

  it('gives a changed file another stamp: by its size, its time, and what it is (XTN-01)', async () => {
    folder.write('a.md', 'one');
    utimesSync(folder.at('a.md'), 1000, 1000);
    const stamps = [await stampOf('a.md'), await stampOf('a.md')];
    utimesSync(folder.at('a.md'), 2000, 2000);
    stamps.push(await stampOf('a.md'));
    folder.write('a.md', 'four');
    utimesSync(folder.at('a.md'), 2000, 2000);
    stamps.push(await stampOf('a.md'));
    folder.write('other.md', 'five');
    utimesSync(folder.at('other.md'), 2000, 2000);
    renameSync(folder.at('other.md'), folder.at('a.md'));
    stamps.push(await stampOf('a.md'));
    symlinkSync('a.md', folder.at('link.md'));
    stamps.push(await stampOf('link.md'));
    const [first, ...others] = stamps;
    expect(others[0]).toBe(first);
    expect(new Set(others).size).toBe(4);
    // A link has the file, and so its stamp.
    expect(stamps.at(-1)).toBe(stamps.at(-2));
  });

  it('follows a link to a folder beside it, but never round in a circle (XTN-01)', async () => {
    folder.write('a/1.md', '1');
    symlinkSync('../b', folder.at('a/b'));
    mkdirSync(folder.at('b'));
    symlinkSync('../a', folder.at('b/a'));
    symlinkSync('.', folder.at('self'));
    const { files, skipped } = await scan();
    expect([...files.keys()]).toEqual(['a/1.md', 'b/a/1.md']);
    expect(skipped).toEqual(['a/b/a', 'b/a/b', 'self']);
  });

  it('leaves out what is no file, and says so, but says nothing of hidden files and packages (XTN-01)', async () => {
    folder.write('.env', '');
    folder.write('node_modules/a.js', '');
    folder.write('node_modules_too/a.js', '');
    execFileSync('mkfifo', [folder.at('pipe')]);
    symlinkSync('nowhere', folder.at('lost'));
    symlinkSync('lost', folder.at('lost-too'));
    symlinkSync('round', folder.at('round'));
    const { files, skipped } = await scan();
    expect([...files.keys()]).toEqual(['node_modules_too/a.js']);
    expect(skipped).toEqual(['lost', 'lost-too', 'pipe', 'round']);
  });

  it('has no part of a folder that is given by itself, whichever way that is reached (XTN-01)', async () => {
    folder.write('a/1.md', '1');
    folder.write('inner/2.md', '2');
    folder.write('inner-too/3.md', '3');
    symlinkSync('inner', folder.at('link'));
    symlinkSync('inner/2.md', folder.at('two.md'));
    const others = [folder.at('inner'), folder.path, folder.outside, folder.at('none')];
    const { files, folders, skipped } = await scan({ others });
    expect([...files.keys()]).toEqual(['a/1.md', 'inner-too/3.md']);
    expect([...folders.keys()]).toEqual(['', 'a', 'inner-too']);
    expect(skipped).toEqual([]);
  });

  it('takes a version of a volume for a part, but no other hidden folder of a like name (XTN-01)', async () => {
    const names = [
      '..2026_11_28_08_50_00.0123456789',
      '..2026_11_28_08_50.0123456789',
      '..2026_11_28_08_50_00.x',
      '...2026_11_28_08_50_00.0123456789',
    ];
    for (const [index, name] of names.entries()) {
      folder.write(`${name}/a.md`, name);
      symlinkSync(`${name}/a.md`, folder.at(`${index}.md`));
    }
    const { files, skipped } = await scan();
    expect([...files.keys()]).toEqual(['0.md']);
    expect(skipped).toEqual(['1.md', '2.md', '3.md']);
  });

  it('fails at a folder that is not there (XTN-01)', async () => {
    await expect(scanFolder(folder.at('none'), { entries: 1, depth: 1 })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
