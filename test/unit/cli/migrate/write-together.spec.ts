import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeTogether } from '../../../../lib/cli/migrate/write-together.js';

describe('writeTogether()', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-write-'));
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), `${name} before`);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const changes = ['a', 'b', 'c'].map((path) => ({ path, text: `${path} after`, isCreated: false }));

  it('writes every file', () => {
    writeTogether(folder, changes);
    expect(['a', 'b', 'c'].map(read)).toEqual(['a after', 'b after', 'c after']);
    expect(readdirSync(folder)).toEqual(['a', 'b', 'c']);
  });

  it('restores what was written if a later file cannot be', () => {
    const place = (from: string, to: string) => {
      if (to.endsWith('c')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      renameSync(from, to);
    };
    expect(() => writeTogether(folder, changes, place)).toThrow(
      '"c" cannot be written (ENOSPC): every file is as it was before',
    );
    expect(['a', 'b', 'c'].map(read)).toEqual(['a before', 'b before', 'c before']);
    expect(readdirSync(folder)).toEqual(['a', 'b', 'c']);
  });

  it('says what could not be restored', () => {
    const place = (from: string, to: string) => {
      if (to.endsWith('b')) {
        rmSync(join(folder, 'a'));
        symlinkSync(join(folder, 'missing', 'a'), join(folder, 'a'));
        throw new Error('gone');
      }
      renameSync(from, to);
    };
    expect(() => writeTogether(folder, changes, place)).toThrow(
      /these could not be restored, take them from git: a$/,
    );
  });

  it('follows links to the file that they lead to', () => {
    symlinkSync(join(folder, 'a'), join(folder, 'link'));
    writeTogether(folder, [{ path: 'link', text: 'by link', isCreated: false }]);
    expect(read('a')).toBe('by link');
  });
});
