import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { type BenchOutput } from '../bench-output.js';
import { formatReport, replaceReport } from '../markdown.js';
import { drawBarChart } from './bar-chart.js';
import {
  buildCallChart,
  buildFanOutChart,
  buildListChart,
  buildMemoryChart,
  buildScalingChart,
} from './charts.js';

const PAGE = 'docs/performance.md';
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
 * Draws the plots of runs and writes their tables between the markers of the page on performance. A plot whose workloads
 * did not run stays as it is.
 *
 * @returns the files that were written
 */
export async function writeReport(runs: BenchOutput[], root: string): Promise<string[]> {
  const page = join(root, PAGE);
  const text = replaceReport(readFileSync(page, 'utf8'), formatReport(runs));
  const formatted = await format(text, { ...(await resolveConfig(page)), filepath: page });
  const plots = drawPlots(runs);
  mkdirSync(join(root, IMAGES), { recursive: true });
  for (const [name, svg] of plots) writeFileSync(join(root, IMAGES, `${name}.svg`), svg);
  writeFileSync(page, formatted);
  return [...plots.map(([name]) => `${IMAGES}/${name}.svg`), PAGE];
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
