import { describe, expect, it } from '@jest/globals';
import { FLOOR_LIMITS } from '../../bench/floor.js';
import { judge } from '../../bench/judge.js';
import { parseOptions } from '../../bench/options.js';
import { OURS } from '../../bench/subjects.js';
import { WORKLOADS } from '../../bench/workloads.js';
import { formatCountId, MANY } from '../../bench/workload.js';

describe('the limits of the floor', () => {
  it.each(FLOOR_LIMITS)(
    'are of rows that are measured side by side: $workload, $text',
    ({ workload, row, against }) => {
      const measured = WORKLOADS.find(({ name }) => name === workload)?.rows ?? [];
      const ids = measured.flatMap(({ id, start }) => (start === undefined ? [] : [id]));
      expect(ids).toEqual(expect.arrayContaining([row, ...against]));
    },
  );

  it('select their workloads by the name "floor"', () => {
    const selected = parseOptions(['--only', 'floor']).workloads.map(({ name }) => name);
    expect(new Set(selected)).toEqual(new Set(FLOOR_LIMITS.map(({ workload }) => workload)));
    expect(selected).not.toContain('start-up');
  });

  it('hold the memory of very many tools against that of few, by the bytes between them', () => {
    const workload = WORKLOADS.find(({ name }) => name === 'memory-many');
    if (workload === undefined) throw new Error('There is no such workload');
    const rows = workload.rows.map((row) => {
      const cost = row.id === formatCountId(OURS, MANY) ? 39_000_000 : 10_000_000;
      return { row, samples: Array.from({ length: 20 }, () => ({ cost })) };
    });
    const [onExpress] = judge([{ workload, rows }]);
    expect(onExpress).toMatchObject({ atMost: 29_700_000, estimate: { median: 29_000_000 }, passed: true });
  });
});
