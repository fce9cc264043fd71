import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { withTimeout } from '../../../../lib/core/async/timeouts.js';
import { standStill } from '../../support/stand-still.js';

const NEVER = new Promise<never>(() => undefined);

const createLateError = () => new Error('too late');

describe('inTime', () => {
  it('gives what the work comes to (SAFE-04)', async () => {
    expect(await withTimeout(Promise.resolve('done'), 60_000, createLateError)).toBe('done');
    await expect(withTimeout(Promise.reject(new Error('no')), 60_000, createLateError)).rejects.toThrow('no');
  });

  it('throws the error of the caller if the work takes longer (SAFE-04)', async () => {
    await expect(withTimeout(NEVER, 20, createLateError)).rejects.toThrow('too late');
  });

  it('gives what came while the process stood still (SAFE-04)', async () => {
    const read = withTimeout(readFile(import.meta.filename, 'utf8'), 10, createLateError);
    standStill(100);
    expect(await read).toContain('inTime');
  });
});
