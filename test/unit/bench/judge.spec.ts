import { describe, expect, it } from '@jest/globals';
import { formatVerdict, judge } from '../../bench/judge.js';
import type { WorkloadResult } from '../../bench/measure.js';
import { SHARED } from '../../bench/sharing.js';
import type { Sample } from '../../bench/statistics.js';
import { OURS } from '../../bench/subjects.js';
import { WORKLOADS } from '../../bench/workloads.js';

/** What half of the deliveries of a slice took at most, and what all but a hundredth did. */
type Slice = readonly [p50: number, p99: number];

function repeat(count: number, slice: Slice): Slice[] {
  return Array.from({ length: count }, () => slice);
}

function buildDeliveries(slices: readonly Slice[]): WorkloadResult {
  const workload = WORKLOADS.find(({ name }) => name === 'shared-delivery');
  if (workload === undefined) throw new Error('There is no such workload');
  const samples = slices.map(([p50Milliseconds, p99Milliseconds]): Sample => ({
    cost: p50Milliseconds,
    p50Milliseconds,
    p99Milliseconds,
  }));
  return { workload, rows: workload.rows.map((row) => ({ row, samples: row.id === SHARED ? samples : [] })) };
}

describe('A limit of one row', () => {
  it('holds if the middle of the slices keeps it, whatever a few of them come to', () => {
    const verdicts = judge([buildDeliveries([...repeat(9, [1.5, 4]), [40, 90]])]);
    expect(verdicts.map(({ measure, atMost, passed }) => [measure, atMost, passed])).toEqual([
      ['p50Milliseconds', 3, true],
      ['p99Milliseconds', 15, true],
    ]);
  });

  it('fails if the slices exceed it for certain', () => {
    const [half, most] = judge([buildDeliveries(repeat(10, [1.5, 16]))]);
    expect([half?.passed, most?.passed]).toEqual([true, false]);
  });

  it('fails if nothing was measured', () => {
    expect(judge([buildDeliveries([])]).map(({ passed }) => passed)).toEqual([false, false]);
  });

  it('judges the longest pause of the event loop on both adapters', () => {
    const workload = WORKLOADS.find(({ name }) => name === 'pauses');
    if (workload === undefined) throw new Error('There is no such workload');
    const rows = workload.rows.map((row) => ({
      row,
      samples: [{ cost: 0, pauseMilliseconds: row.id === OURS ? 49 : 51 }],
    }));
    expect(judge([{ workload, rows }]).map(({ atMost, passed }) => [atMost, passed])).toEqual([
      [50, true],
      [50, false],
    ]);
  });

  it('is told in milliseconds', () => {
    const [half] = judge([buildDeliveries(repeat(10, [1.5, 4]))]).map(formatVerdict);
    expect(half).toMatch(/^PASS {2}shared-delivery +1\.50 \[1\.50–1\.50\] ms \(at most 3 ms\): half of what/);
  });
});
