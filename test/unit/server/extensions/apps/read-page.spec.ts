import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { readPage } from '../../../../../lib/server/extensions/apps/read-page.js';
import type { AppPage } from '../../../../../lib/server/catalog/entries.js';
import { SkillFolder } from '../../../../support/applications/skill-folder.js';

type Kind = NonNullable<AppPage['source']>['expects'];

const PAGE = '<!doctype html><p>Board</p>';

describe('readPage', () => {
  let folder: SkillFolder;
  let noted: string[];

  beforeEach(() => {
    folder = new SkillFolder({ 'board.html': PAGE }, 'pages');
    noted = [];
  });

  afterEach(() => folder.remove());

  const read = (path = 'board.html', maxBytes = 10_000, expects: Kind = 'either'): string =>
    readPage(
      { path: folder.at(path), expects },
      { maxBytes, note: (one) => void noted.push(one.slice(folder.path.length)) },
    );

  it.each(['board.html', 'board.htm', 'board.xhtml', 'BOARD.HTML'])('reads "%s" (XTN-02)', (name) => {
    folder.write(name, PAGE);
    expect(read(name)).toBe(PAGE);
    expect(read(name, 10_000, 'file')).toBe(PAGE);
  });

  it.each(['board.txt', 'board', 'board.html.bak', '.html'])('takes "%s" for no page (XTN-02)', (name) => {
    folder.write(name, PAGE);
    expect(() => read(name)).toThrow(`"${folder.at(name)}" is not an HTML file`);
  });

  it('reads the page of a folder, which must be a file (XTN-02)', () => {
    folder.write('panel/index.html', '<p>Panel</p>');
    expect([read('panel'), read('panel', 10_000, 'directory')]).toEqual(['<p>Panel</p>', '<p>Panel</p>']);
    mkdirSync(folder.at('odd/index.html'), { recursive: true });
    expect(() => read('odd')).toThrow(`The folder "${folder.at('odd')}" has no "index.html"`);
  });

  it('reads a page of the longest length, and none that is longer (XTN-02)', () => {
    const page = '<p>é</p>';
    folder.write('short.html', page);
    expect(read('short.html', Buffer.byteLength(page))).toBe(page);
    expect(() => read('short.html', Buffer.byteLength(page) - 1)).toThrow('is longer than 8 bytes: raise');
  });

  it('counts the bytes of the page together with what it loads (XTN-02)', () => {
    folder.write('main.js', '"é"');
    folder.write('loads.html', '<p></p><script src="main.js"></script><p></p>');
    const longest = Buffer.byteLength(read('loads.html'));
    // The page as it is on disk must fit, too.
    folder.write('main.js', `"é${'.'.repeat(100)}"`);
    expect(Buffer.byteLength(read('loads.html', longest + 100))).toBe(longest + 100);
    expect(() => read('loads.html', longest + 99)).toThrow(
      `is longer than ${longest + 99} bytes including the files that it loads`,
    );
  });

  it('waits for no pipe, neither as the page nor as what it loads (XTN-02)', () => {
    execFileSync('mkfifo', [folder.at('pipe.html'), folder.at('pipe.js')]);
    expect(() => read('pipe.html')).toThrow(`"${folder.at('pipe.html')}" is not a regular file`);
    folder.write('loads.html', '<script src="pipe.js"></script>');
    expect(() => read('loads.html')).toThrow('there is no file');
  });

  it('takes no page that grows while it is read (XTN-02)', () => {
    // Linux says of such a file that it is empty, and gives more.
    if (process.platform !== 'linux') return;
    symlinkSync('/proc/version', folder.at('grows.html'));
    expect(() => read('grows.html')).toThrow('is being written: try again when it is complete');
  });

  it.each(['', 'Hello', '3 < 4', '<>', '< p>'])('finds no HTML in %j (XTN-02)', (text) => {
    folder.write('text.html', text);
    expect(() => read('text.html')).toThrow('contains no HTML');
  });

  it.each(['<P>', '<!DOCTYPE html>', 'Hello <b>you</b>'])('finds HTML in %j (XTN-02)', (text) => {
    folder.write('text.html', text);
    expect(read('text.html')).toBe(text);
  });

  it('names each folder that it looks into, whether there is something or not (XTN-02)', () => {
    folder.write('panel/assets/a.js', '1');
    folder.write('panel/index.html', '<script src="assets/a.js"></script><img src="none/a.png">');
    expect(() => read('panel')).toThrow('there is no file');
    expect(noted).toEqual(['/panel', '/panel/assets', '/panel/none']);
  });
});
