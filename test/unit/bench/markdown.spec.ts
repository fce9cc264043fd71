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
  it('gives what was measured for each limit, and whether it holds', () => {
    expect(findCells(formatReport([buildRun(1.1)]), '`call-handshake` | a call')).toEqual([
      '`call-handshake`',
      'a call is cheap: at most 1.15 ×',
      '1.10 [1.00–1.20]',
      'PASS',
    ]);
  });

  it('gives what was measured for a limit of one row', () => {
    const { against: _against, ...alone } = buildVerdict(1.1);
    const run = {
      ...buildRun(1.1),
      verdicts: [{ ...alone, measure: 'p50Milliseconds' as const, atMost: 3 }],
    };
    expect(findCells(formatReport([run]), '`call-handshake` | a call')).toEqual([
      '`call-handshake`',
      'a call is cheap: at most 3 ms',
      '1.10 [1.00–1.20]',
      'PASS',
    ]);
  });

  it('joins several runs: the middle median, and an interval that covers all', () => {
    const report = formatReport([buildRun(1.1), buildRun(1.4), buildRun(1.2)]);
    expect(findCells(report, '`call-handshake` | a call').slice(2)).toEqual([
      '1.20 [1.00–1.50]',
      '**FAIL**, 1 of 3 pass',
    ]);
    expect(findCells(report, '<nestjs-mcp-express>').at(-1)).toBe('1.20 [1.00–1.50]');
  });

  it('shows how far measurements of the same were apart', () => {
    expect(formatReport([buildRun(1.1)])).toContain('differ most in `call-handshake`, by 1 %');
  });

  it('warns of the figures of a quick run', () => {
    const quick = { ...buildRun(1.1), quick: true };
    expect(formatReport([buildRun(1.1), quick])).toContain('**A quick run');
    expect(formatReport([buildRun(1.1)])).not.toContain('A quick run');
  });

  it('names the machine, and leaves out what was not measured', () => {
    const report = formatReport([buildRun(1.1)]);
    expect(report).toContain('Node 20, 2 × a processor');
    expect(report).toContain('<bare-nest-express>');
    expect(report).not.toContain('<sdk-v1>');
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
