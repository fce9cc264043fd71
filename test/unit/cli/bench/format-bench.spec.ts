import { describe, expect, it } from '@jest/globals';
import { buildBenchJson, formatBench } from '../../../../cli/bench/format-bench.js';
import type { BenchReport } from '../../../../cli/bench/measure-server.js';
import { buildRow } from '../../../../cli/bench/workloads/bench-row.js';
import type { Pair } from '../../../../cli/bench/workloads/measure-pairs.js';

const TITLE = { workload: 'tools/call hours', method: 'tools/call', revision: '2026-07-28', bytes: 100 };

/** Builds a pair of slices: the server takes twice as long for each of a hundred answers as the bare one. */
function buildPair(loadShare = 0.5): Pair {
  const slice = (milliseconds: number) => ({
    milliseconds: milliseconds * 100,
    latencies: Array.from({ length: 100 }, () => milliseconds),
    loadShare,
  });
  return { server: slice(2), bare: slice(1) };
}

function buildReport(pairs: readonly Pair[], more: Partial<BenchReport> = {}): BenchReport {
  return {
    url: 'http://127.0.0.1:3000/mcp',
    server: 'desk 1.0.0',
    machine: 'Node 20, 2 × a processor',
    seconds: 20,
    connections: 16,
    rows: [buildRow(TITLE, pairs)],
    leftOut: [],
    keepsSessions: false,
    load: { average: 1.5, processors: 2 },
    ...more,
  };
}

const MANY = Array.from({ length: 6 }, () => buildPair());

describe('formatBench()', () => {
  it('shows throughput, latencies and the ratio with its interval', () => {
    const [, , , heads = '', row = ''] = formatBench(buildReport(MANY)).split('\n');
    expect(heads.trim().split(/ {2,}/)).toEqual([
      'per second',
      'p50 ms',
      'p99 ms',
      'baseline: per second',
      'p50 ms',
      'p99 ms',
      '× baseline [95 %]',
    ]);
    expect(row.split(/ {2,}/)).toEqual([
      'tools/call hours',
      '500',
      '2.00',
      '2.00',
      '1,000',
      '1.00',
      '1.00',
      '2.00 [2.00–2.00]',
    ]);
  });

  it('says what was left out and why', () => {
    const leftOut = [{ workload: 'initialize', why: 'the server keeps\u001b none', isFailed: false }];
    expect(formatBench(buildReport(MANY, { leftOut }))).toContain(
      'Not measured:\n  initialize: the server keeps\u{fffd} none',
    );
  });

  it('names the URL if the server does not say what it is called', () => {
    expect(formatBench(buildReport(MANY, { server: '' }))).toMatch(/^http:\/\/127\.0\.0\.1:3000\/mcp\n/);
  });

  it.each([
    [
      'few slices',
      buildReport([buildPair()]),
      'too few slices to estimate how precise a ratio is: allow more time with "--seconds 40"',
    ],
    [
      'few slices of the longest time',
      buildReport([buildPair()], { seconds: 600 }),
      ': the maximum of "--seconds" is 600',
    ],
    ['a busy load', buildReport([buildPair(0.95)]), 'The load occupies a whole core'],
    [
      'a busy machine',
      buildReport(MANY, { load: { average: 17.04, processors: 2 } }),
      'The machine had a load average of 17.0 on 2 processors: measure again when it is idle',
    ],
    ['TLS', buildReport(MANY, { url: 'https://127.0.0.1/mcp' }), 'plain HTTP'],
    ['sessions that stay', buildReport(MANY, { keepsSessions: true }), 'does not let clients end sessions'],
  ])('has a note about %s', (_, report, note) => {
    expect(formatBench(report)).toContain(note);
    expect(formatBench(buildReport(MANY))).not.toContain(note);
  });
});

describe('buildBenchJson()', () => {
  it('has every figure, and nothing of what ended the measurement', () => {
    const json = buildBenchJson(buildReport(MANY, { failure: new Error('secret') }));
    expect(json).toMatchObject({ rows: [{ perSecond: 500, pairs: 6, bare: { count: 600 } }], notes: [] });
    expect(JSON.stringify(json)).not.toContain('secret');
  });
});
