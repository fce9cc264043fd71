import { describe, expect, it } from '@jest/globals';
import { Tally } from '../../soak/tally.js';
import { findSlope, judge, type Findings, type Sample } from '../../soak/verdict.js';

const MEGABYTE = 1_048_576;
const USAGE = { heapBytes: 40 * MEGABYTE, rssBytes: 100 * MEGABYTE, cpuMs: 0, sessions: 0 };

/** Thirty samples, ten seconds apart. */
function sampleBy(change: (index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 30 }, (_, index) => ({
    ...USAGE,
    sessions: 2000,
    second: index * 10,
    ...change(index),
  }));
}

async function findingsOf(parts: Partial<Findings> = {}): Promise<Findings> {
  const tally = new Tally();
  await tally.run('call', async () => {});
  return {
    samples: sampleBy(() => ({})),
    before: USAGE,
    drained: USAGE,
    remains: { resources: [], intervals: 0, closeMs: 5 },
    exitCode: 0,
    tally,
    flatPercent: 5,
    ...parts,
  };
}

async function failuresOf(parts: Partial<Findings>): Promise<string[]> {
  return judge(await findingsOf(parts)).flatMap(({ holds, text }) => (holds ? [] : [text]));
}

describe('The verdict on a soak', () => {
  it('finds nothing in a run that is flat, whatever single samples are', async () => {
    const samples = sampleBy((index) => (index % 10 === 4 ? { heapBytes: 90 * MEGABYTE } : {}));
    expect(await failuresOf({ samples })).toEqual([]);
  });

  it('fails a heap whose last third is more than 5 % above its first', async () => {
    const samples = sampleBy((index) => ({ heapBytes: (40 + index * 0.15) * MEGABYTE }));
    expect(findSlope(samples) / MEGABYTE).toBeCloseTo(0.9);
    expect(await failuresOf({ samples })).toEqual([
      expect.stringContaining('40.7 MB → 43.7 MB (+7.4 %; slope 0.90 MB/min)'),
    ]);
  });

  it('fails a run whose load was not equal, since it says nothing then', async () => {
    const samples = sampleBy((index) => ({ sessions: 2000 - index * 20 }));
    expect(await failuresOf({ samples })).toEqual([expect.stringMatching(/^equal load/)]);
  });

  it('fails one wrong answer, with what it was', async () => {
    const { tally } = await findingsOf();
    await tally.run('call', () => Promise.reject(new Error('Expected a, got b')));
    expect(await failuresOf({ tally })).toEqual([expect.stringContaining('1 wrong, 0 late')]);
    expect(tally.examples).toEqual(['call: Error: Expected a, got b']);
  });

  it('fails what is left when all are gone, and a process that does not end', async () => {
    const failures = await failuresOf({
      drained: { ...USAGE, heapBytes: 60 * MEGABYTE, sessions: 3 },
      remains: { resources: ['Timeout'], intervals: 1, closeMs: 20_000 },
      exitCode: undefined,
    });
    expect(failures).toEqual([
      'no session is left when all are gone: 3',
      expect.stringMatching(/40\.0 MB → 60\.0 MB$/),
      expect.stringMatching(/20000 ms$/),
      'no timer, socket or listener is left: active resources Timeout, intervals 1',
      'the process ends by itself: it does not',
    ]);
  });
});
