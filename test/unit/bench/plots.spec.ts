import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { check, format, resolveConfig } from 'prettier';
import type { BenchOutput } from '../../bench/bench-output.js';
import { formatReport, replaceReport } from '../../bench/markdown.js';
import { joinEstimates } from '../../bench/plots/join-estimates.js';
import { readRun } from '../../bench/plots/saved-run.js';
import { formatSummary } from '../../bench/plots/summary.js';
import { drawPlots, FIGURES, writeReport } from '../../bench/plots/write-report.js';
import { buildEstimate, buildRow, buildRun, buildWorkload } from '../support/bench-runs.js';

const growth = buildWorkload('call-many-handshake', [
  buildRow('nestjs-mcp-express', 1),
  buildRow('nestjs-mcp-express/again', 1.04),
  buildRow('nestjs-mcp-express/1000', 1.02),
]);
const memory = buildWorkload('memory', [buildRow('bare-nest-express', 10), buildRow('sdk-v1', 40)]);

function findPlot(name: string): string {
  return new Map(drawPlots([buildRun(1.2, [growth, memory])])).get(name) ?? '';
}

describe('The plots of a run', () => {
  it('are those that there are figures for', () => {
    expect(drawPlots([buildRun(1.2)]).map(([name]) => name)).toEqual(['call']);
    expect(drawPlots([buildRun(1.2, [growth, memory])]).map(([name]) => name)).toEqual([
      'call',
      'memory',
      'scaling',
    ]);
  });

  it('are read out with every value and its interval', () => {
    expect(findPlot('call')).toContain(
      '&lt;nestjs-mcp-express&gt;: 2025-11-25, in a session 1.20 × (1.10 × to 1.30 ×)',
    );
    expect(findPlot('memory')).toContain('&lt;sdk-v1&gt;: 80.0 KiB');
    expect(findPlot('scaling')).toContain(
      'call, 1,000 tools: 2025-11-25, in a session 1.02 × (0.92 × to 1.12 ×)',
    );
  });

  it('leave out subjects that were not measured at all', () => {
    expect(findPlot('call')).not.toContain('sdk-v1');
  });

  it('warn of the figures of a quick run', () => {
    const [[, svg] = []] = drawPlots([buildRun(1.2), { ...buildRun(1.2), quick: true }]);
    expect(svg).toContain('From a quick run');
    expect(findPlot('call')).not.toContain('From a quick run');
  });

  it('say what is 1', () => {
    expect(findPlot('call')).toContain('>1 = &lt;bare-nest-express&gt;</text>');
    expect(findPlot('scaling')).toContain('>1 = the same among few</text>');
  });

  it('leave out what is measured once more', () => {
    expect(findPlot('scaling')).not.toContain('1.04');
  });

  it('have colors for dark pages', () => {
    expect(findPlot('call')).toContain('@media (prefers-color-scheme: dark)');
  });

  it('contain nothing that has no number for a place', () => {
    for (const name of ['call', 'memory', 'scaling'])
      expect(findPlot(name)).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('show of several runs the middle one, and all that their intervals cover', () => {
    expect(joinEstimates([1.2, 1.5, 1.3].map(buildEstimate))).toEqual({
      median: 1.3,
      lower: expect.closeTo(1.1),
      upper: expect.closeTo(1.6),
    });
  });
});

const PAGES = ['docs/performance.md', 'docs/performance-figures.md'];

describe('The pages on performance', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'nestjs-mcp-bench-'));
    mkdirSync(join(root, 'docs'));
    for (const page of PAGES) {
      writeFileSync(join(root, page), '# Performance\n\n<!-- bench:begin -->\n<!-- bench:end -->\n');
    }
  });

  afterEach(() => rmSync(root, { recursive: true }));

  it('are written from a saved run, as prettier would write them', async () => {
    const file = join(root, 'run.json');
    writeFileSync(file, JSON.stringify(buildRun(1.1)));
    const written = await writeReport([readRun(file)], root);
    expect(written).toEqual(['docs/images/performance/call.svg', ...PAGES, FIGURES]);
    const [stored] = JSON.parse(readFileSync(join(root, FIGURES), 'utf8')) as BenchOutput[];
    expect(formatReport([stored as BenchOutput])).toBe(formatReport([buildRun(1.1)]));
    expect(JSON.stringify(stored)).not.toContain('Slices');
    const [summary = '', figures = ''] = PAGES.map((page) => readFileSync(join(root, page), 'utf8'));
    expect(summary).toContain('1 of 1 [limits]');
    expect(figures).toContain('1.10 [1.00–1.20]');
    for (const page of [summary, figures]) expect(await check(page, { filepath: 'page.md' })).toBe(true);
  });

  it.each([
    [PAGES[0] as string, formatSummary],
    [PAGES[1] as string, formatReport],
  ])('are as the stored figures have it: %s', async (page, formatRuns) => {
    const runs = JSON.parse(readFileSync(FIGURES, 'utf8')) as BenchOutput[];
    const text = readFileSync(page, 'utf8');
    const filled = replaceReport(text, formatRuns(runs));
    expect(await format(filled, { ...(await resolveConfig(page)), filepath: page })).toBe(text);
  });

  it('are not written from a file that is no run', () => {
    const file = join(root, 'run.json');
    writeFileSync(file, 'PASS');
    expect(() => readRun(file)).toThrow('is no run of the bench');
  });
});
