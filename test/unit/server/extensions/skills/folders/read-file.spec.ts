import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readFile } from '../../../../../../lib/server/extensions/skills/folders/read-folder.js';

const MOST_BYTES = 1000;

/** Swaps the folder for the link and back, again and again, until it is terminated. */
const SWAP = `
  const { renameSync } = require('node:fs');
  const { workerData: { folder, link, aside }, parentPort } = require('node:worker_threads');
  parentPort.postMessage('ready');
  for (;;) {
    renameSync(folder, aside);
    renameSync(link, folder);
    renameSync(folder, link);
    renameSync(aside, folder);
  }
`;

describe('readFile', () => {
  let outer: string;
  const at = (path: string): string => join(outer, path);
  const read = async (path: string, mostBytes = MOST_BYTES): Promise<string | undefined> => {
    const bytes = await readFile(at(path), mostBytes);
    return bytes && Buffer.from(bytes).toString();
  };

  beforeEach(() => {
    outer = realpathSync(mkdtempSync(join(tmpdir(), 'read-file-')));
    for (const folder of ['skill', 'skill/inner', 'private']) mkdirSync(at(folder));
    writeFileSync(at('skill/inner/fees.md'), 'ten');
    writeFileSync(at('private/fees.md'), 'secret');
  });

  afterEach(() => rmSync(outer, { recursive: true }));

  it('reads a file of the longest length, and none that is longer (XTN-01)', async () => {
    expect(await read('skill/inner/fees.md', 3)).toBe('ten');
    expect(await read('skill/inner/fees.md', 2)).toBeUndefined();
    writeFileSync(at('skill/empty.md'), '');
    expect(await read('skill/empty.md', 0)).toBe('');
  });

  it('reads nothing where no file is, or something else (XTN-01)', async () => {
    execFileSync('mkfifo', [at('skill/pipe.md')]);
    for (const path of ['skill/none.md', 'skill/inner/fees.md/x', 'skill/inner', 'skill/pipe.md'])
      expect(await read(path)).toBeUndefined();
  });

  it('follows no link, neither that of the file nor one on the way (XTN-01)', async () => {
    symlinkSync('inner/fees.md', at('skill/link.md'));
    symlinkSync('inner', at('skill/link'));
    expect(await read('skill/link.md')).toBeUndefined();
    expect(await read('skill/link/fees.md')).toBeUndefined();
    renameSync(at('skill/inner'), at('skill/moved'));
    symlinkSync(at('private'), at('skill/inner'));
    expect(await read('skill/inner/fees.md')).toBeUndefined();
    expect(await read('skill/moved/fees.md')).toBe('ten');
  });

  it('never reads what a link shows that takes the place of a folder for a moment (XTN-01)', async () => {
    symlinkSync(at('private'), at('skill/link'));
    const workerData = { folder: at('skill/inner'), link: at('skill/link'), aside: at('skill/aside') };
    const swapping = new Worker(SWAP, { eval: true, workerData });
    await new Promise((resolve) => swapping.once('message', resolve));
    const seen = new Set<string | undefined>();
    try {
      for (let reads = 0; reads < 3000 || !seen.has('ten'); reads += 1)
        seen.add(await read('skill/inner/fees.md'));
    } finally {
      await swapping.terminate();
    }
    expect([...seen]).not.toContain('secret');
  });
});
