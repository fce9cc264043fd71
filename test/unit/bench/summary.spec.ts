import { describe, expect, it } from '@jest/globals';
import { formatSummary } from '../../bench/plots/summary.js';
import { buildRow, buildRun, buildWorkload } from '../support/bench-runs.js';

const fanOut = buildWorkload('fan-out', [
  buildRow('bare-http', 1),
  buildRow('mcp-nest'),
  buildRow('mcp-nest-sessions', 4.2),
]);

/** Finds the cells of the table's line that begins so. */
function findCells(summary: string, beginning: string): string[] {
  const line = summary.split('\n').find((candidate) => candidate.startsWith(`| ${beginning}`)) ?? '';
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe('The summary of runs', () => {
  it('says of the main things what they cost in units of a bare server, and of which', () => {
    expect(findCells(formatSummary([buildRun(0.2)]), 'a call in a session')).toEqual([
      'a call in a session',
      '0.20',
      '—',
      '—',
      '1.00',
      '—',
      '—',
      '—',
      '—',
      '—',
      '<bare-nest-express>',
    ]);
  });

  it('has of several runs the middle one, and of a subject the cheapest way', () => {
    const runs = [buildRun(0.2), buildRun(0.4, [fanOut]), buildRun(0.3)];
    expect(findCells(formatSummary(runs), 'a call in a session')[1]).toBe('0.30');
    expect(findCells(formatSummary(runs), 'a notification to 1,000')[6]).toBe('4.20');
  });

  it('leaves out what was not measured', () => {
    expect(formatSummary([buildRun(0.2)])).not.toContain('a handshake');
  });

  it('says how many limits hold in all runs', () => {
    expect(formatSummary([buildRun(1.1)])).toMatch(/^1 of 1 \[limits\]\(.*\) hold in one run on Node 20, /);
    expect(formatSummary([buildRun(1.1), buildRun(1.4)])).toMatch(/^0 of 1 .* hold in 2 runs/);
  });

  it('warns of the figures of a quick run', () => {
    expect(formatSummary([{ ...buildRun(1.1), quick: true }])).toContain('**A quick run');
    expect(formatSummary([buildRun(1.1)])).not.toContain('quick');
  });
});
