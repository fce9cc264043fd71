import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MigrationChange } from '../../../../cli/migrate/migration-change.js';
import { readTextFile, type TextFile } from '../../../../cli/migrate/source/read-text-file.js';
import { writeTogether } from '../../../../cli/migrate/write-together.js';

const NAMES = ['a', 'b', 'c'];

describe('writeTogether()', () => {
  let folder: string;
  let changes: readonly MigrationChange[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-write-'));
    for (const name of NAMES) writeFileSync(join(folder, name), `${name} before`);
    changes = NAMES.map((path) => {
      const before = readTextFile(folder, path) as TextFile;
      return { path, text: `${path} after`, isCreated: false, before };
    });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const BEFORE = NAMES.map((name) => `${name} before`);

  /** Fails at the last file, as a disk does that is full. */
  const placeTwo = (from: string, to: string) => {
    if (to.endsWith('c')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    renameSync(from, to);
  };

  it('writes every file', () => {
    writeTogether(folder, changes);
    expect(NAMES.map(read)).toEqual(['a after', 'b after', 'c after']);
    expect(readdirSync(folder)).toEqual(NAMES);
  });

  it('puts back what was written if a later file cannot be', () => {
    expect(() => writeTogether(folder, changes, placeTwo)).toThrow(
      '"c" cannot be written (ENOSPC): all files are unchanged',
    );
    expect(NAMES.map(read)).toEqual(BEFORE);
    expect(readdirSync(folder)).toEqual(NAMES);
  });

  describe('with a file that comes and one that goes', () => {
    const plan = () => {
      const created = { path: 'new', text: 'new after', isCreated: true, before: undefined };
      const [first, ...others] = changes;
      return [created, { ...first!, text: '', isRemoved: true }, ...others];
    };

    it('creates the one, and removes the other', () => {
      writeTogether(folder, plan());
      expect(readdirSync(folder)).toEqual(['b', 'c', 'new']);
      expect(read('new')).toBe('new after');
    });

    it('has neither if a later file cannot be written', () => {
      expect(() => writeTogether(folder, plan(), placeTwo)).toThrow('ENOSPC');
      expect(readdirSync(folder)).toEqual(NAMES);
      expect(NAMES.map(read)).toEqual(BEFORE);
    });

    it('writes nothing if somebody has made the file meanwhile', () => {
      writeFileSync(join(folder, 'new'), 'of somebody');
      expect(() => writeTogether(folder, plan())).toThrow('these files changed after they were read: new');
      expect([read('new'), ...NAMES.map(read)]).toEqual(['of somebody', ...BEFORE]);
    });
  });

  it('puts back the very file, with its other names', () => {
    linkSync(join(folder, 'a'), join(folder, 'other'));
    expect(() => writeTogether(folder, changes, placeTwo)).toThrow('ENOSPC');
    expect(statSync(join(folder, 'a')).ino).toBe(statSync(join(folder, 'other')).ino);
  });

  it('says what could not be put back, and where it is kept', () => {
    const place = (from: string, to: string) => {
      if (to.endsWith('b')) {
        rmSync(join(folder, 'a'));
        mkdirSync(join(folder, 'a'));
        throw new Error('gone');
      }
      renameSync(from, to);
    };
    expect(() => writeTogether(folder, changes, place)).toThrow(
      /could not be restored; their original content is in \S+\.before$/,
    );
    const [kept = ''] = readdirSync(folder).filter((name) => name.endsWith('.before'));
    expect(read(kept)).toBe('a before');
  });

  it('writes nothing over what somebody has changed meanwhile', () => {
    writeFileSync(join(folder, 'b'), 'b by hand');
    rmSync(join(folder, 'c'));
    expect(() => writeTogether(folder, changes)).toThrow(
      'Nothing was written: these files changed after they were read: b, c. Run the command again',
    );
    expect(['a', 'b'].map(read)).toEqual(['a before', 'b by hand']);
    expect(readdirSync(folder)).toEqual(['a', 'b']);
  });

  it('replaces no file that may not be written', () => {
    const user = process.geteuid?.();
    for (const name of [...NAMES, '.']) chmodSync(join(folder, name), name === 'b' ? 0o444 : 0o777);
    // Whoever may do everything may write it too.
    if (user === 0) process.seteuid?.(65_534);
    try {
      expect(() => writeTogether(folder, changes)).toThrow('"b" cannot be written (EACCES)');
    } finally {
      if (user === 0) process.seteuid?.(0);
    }
    expect(NAMES.map(read)).toEqual(BEFORE);
    expect(readdirSync(folder)).toEqual(NAMES);
  });

  it('leaves a file to whom it belongs', () => {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) execFileSync('chown', ['1234:1235', join(folder, 'a')]);
    const { uid, gid } = statSync(join(folder, 'a'));
    writeTogether(folder, changes);
    expect(statSync(join(folder, 'a'))).toMatchObject({ uid, gid });
  });
});
