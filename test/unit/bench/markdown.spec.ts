import { describe, expect, it } from '@jest/globals';
import { formatReport, replaceReport } from '../../bench/markdown.js';
import { buildRun, buildVerdict } from '../support/bench-runs.js';

/** Finds the cells of the table's line that begins so. */
function findCells(report: string, beginning: string): string[] {
  const line = report.split('\n').find((candidate) => candidate.startsWith(`| ${beginning}`)) ?? '';
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe('The report of runs', () => {
  it('says of each limit what was measured, against what, and whether it holds', () => {
    expect(findCells(formatReport([buildRun(1.1)]), '`call-handshake` | a call')).toEqual([
      '`call-handshake`',
      'a call is cheap: at most 1.15 ×',
      '<bare-nest-express>',
      '1.10 [1.00–1.20]',
      'PASS',
    ]);
  });

  it('says of a limit of one row what was measured, and against nothing', () => {
    const { against: _against, ...alone } = buildVerdict(1.1);
    const run = {
      ...buildRun(1.1),
      verdicts: [{ ...alone, measure: 'p50Milliseconds' as const, atMost: 3 }],
    };
    expect(findCells(formatReport([run]), '`call-handshake` | a call')).toEqual([
      '`call-handshake`',
      'a call is cheap: at most 3 ms',
      '—',
      '1.10 [1.00–1.20]',
      'PASS',
    ]);
  });

  it('gives each of several runs a column of its own', () => {
    const report = formatReport([buildRun(1.1), buildRun(1.4), buildRun(1.2)]);
    expect(findCells(report, 'workload | limit')).toEqual([
      'workload',
      'limit',
      'against',
      'run 1: measured [95 %]',
      'run 2: measured [95 %]',
      'run 3: measured [95 %]',
      'holds',
    ]);
    expect(findCells(report, '`call-handshake` | a call').slice(3)).toEqual([
      '1.10 [1.00–1.20]',
      '1.40 [1.30–1.50]',
      '1.20 [1.10–1.30]',
      '**FAIL**, 1 of 3 pass',
    ]);
  });

  it('shows how far measurements of the same were apart', () => {
    expect(findCells(formatReport([buildRun(1.1)]), '`call-handshake` | 1.01')).toEqual([
      '`call-handshake`',
      '1.01 [0.91–1.11]',
    ]);
  });

  it('warns of the figures of a quick run', () => {
    const quick = { ...buildRun(1.1), quick: true };
    expect(formatReport([buildRun(1.1), quick])).toContain('**A quick run');
    expect(formatReport([buildRun(1.1)])).not.toContain('A quick run');
  });

  it('names the machine and has dashes for what was not measured', () => {
    const report = formatReport([buildRun(1.1)]);
    expect(report).toContain('Node 20, 2 × a processor');
    expect(findCells(report, '<sdk-v1>')).toEqual(['<sdk-v1>', '—', '—']);
  });
});

describe('A page with markers', () => {
  it('keeps what is around them', () => {
    const page = 'before\n\n<!-- bench:begin -->\n\nlast time\n\n<!-- bench:end -->\n\nafter\n';
    expect(replaceReport(page, 'this time')).toBe(page.replace('last time', 'this time'));
  });

  it('is refused without them', () => {
    expect(() => replaceReport('before\n<!-- bench:end -->', 'this time')).toThrow('"<!-- bench:begin -->"');
  });
});
