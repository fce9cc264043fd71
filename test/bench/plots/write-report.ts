import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import type { BenchOutput } from '../bench-output.js';
import { formatReport, replaceReport } from '../markdown.js';
import { formatSummary } from './summary.js';
import { drawBarChart } from './bar-chart.js';
import {
  buildCallChart,
  buildFanOutChart,
  buildListChart,
  buildMemoryChart,
  buildScalingChart,
} from './charts.js';

/** The pages on which runs are written, each with what of them. */
const PAGES = [
  ['docs/performance.md', formatSummary],
  ['docs/performance-figures.md', formatReport],
] as const;

/** The figures of the runs on the pages, without their slices. */
export const FIGURES = 'test/bench/figures.json';
const IMAGES = 'docs/images/performance';

/** What stands above plots that nobody should take for more than they are. */
const CAUTION = 'From a quick run: shows that the bench works, and nothing of what anything costs.';

const CHARTS = [
  ['call', buildCallChart],
  ['list', buildListChart],
  ['memory', buildMemoryChart],
  ['fan-out', buildFanOutChart],
  ['scaling', buildScalingChart],
] as const;

/**
 * Draws the plots of runs, and writes what they came to between the markers of the pages on performance. A plot whose
 * workloads did not run stays as it is. The figures are stored as JSON too.
 *
 * @returns the files that were written
 */
export async function writeReport(runs: BenchOutput[], root: string): Promise<string[]> {
  const pages = await Promise.all(
    PAGES.map(
      async ([name, formatRuns]) => [name, await fillPage(join(root, name), formatRuns(runs))] as const,
    ),
  );
  const plots = drawPlots(runs);
  mkdirSync(join(root, IMAGES), { recursive: true });
  for (const [name, svg] of plots) writeFileSync(join(root, IMAGES, `${name}.svg`), svg);
  for (const [name, text] of pages) writeFileSync(join(root, name), text);
  mkdirSync(join(root, dirname(FIGURES)), { recursive: true });
  writeFileSync(join(root, FIGURES), `${JSON.stringify(runs.map(dropSlices), null, 2)}\n`);
  return [...plots.map(([name]) => `${IMAGES}/${name}.svg`), ...pages.map(([name]) => name), FIGURES];
}

/** Slices are a hundred times as long as what they amount to. */
function dropSlices(run: BenchOutput): BenchOutput {
  const workloads = run.workloads.map((workload) => ({
    ...workload,
    rows: workload.rows.map(({ costSlices: _costs, cpuSlices: _cpu, ...row }) => row),
  }));
  return { ...run, workloads };
}

/** Puts a text between the markers of a page, in the form that prettier gives it. */
async function fillPage(page: string, text: string): Promise<string> {
  const filled = replaceReport(readFileSync(page, 'utf8'), text);
  return format(filled, { ...(await resolveConfig(page)), filepath: page });
}

/** Draws the plots for which there are figures, each with the name of its file. */
export function drawPlots(runs: BenchOutput[]): [name: string, svg: string][] {
  const isQuick = runs.some(({ quick }) => quick);
  return CHARTS.flatMap(([name, build]): [string, string][] => {
    const chart = build(runs);
    if (!chart) return [];
    return [[name, drawBarChart({ ...chart, subtitle: isQuick ? CAUTION : chart.subtitle })]];
  });
}
