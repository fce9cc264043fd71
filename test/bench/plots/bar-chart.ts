import type { Estimate } from '../bench-output.js';
import { formatPage, HEADING_HEIGHT, type Heading, MARGIN, PAGE_WIDTH } from './page.js';
import { buildLinearScale, type Scale } from './scale.js';
import type { Kind } from './style.js';
import { formatElement, formatText } from './svg.js';

/** What one subject came to: a bar for each series, or none where it was not measured. */
export interface BarGroup {
  label: string;
  kind: Kind;
  bars: (Estimate | undefined)[];
}

export interface BarChart extends Pick<Heading, 'title' | 'subtitle'> {
  /** What the bars of a group stand for, in their order. One series is not named. */
  series: string[];
  groups: BarGroup[];
  /** The value that others are compared with, and what it is. */
  reference?: { value: number; label: string };
  /** What the numbers at the axis are. */
  axis: string;
  formatValue(value: number): string;
}

const LABEL_WIDTH = 208;
const VALUE_WIDTH = 66;
const LEFT = MARGIN + LABEL_WIDTH;
const RIGHT = PAGE_WIDTH - MARGIN - VALUE_WIDTH;
const BAR_HEIGHT = 11;
const BAR_GAP = 5;
const GROUP_GAP = 15;
const CAP = 3.5;
const CLEARANCE = 9;
const ABSENT = 'not measured';
const ABSENT_WIDTH = 96;
const LEGEND_HEIGHT = 26;
const REFERENCE_HEIGHT = 22;
const AXIS_HEIGHT = 58;

/** Draws horizontal bars from zero, with whiskers for what each value lies between. */
export function drawBarChart(chart: BarChart): string {
  const estimates = chart.groups.flatMap(({ bars }) => bars.filter((bar) => bar !== undefined));
  const largest = Math.max(
    chart.reference?.value ?? 0,
    ...estimates.map(({ median, upper }) => Math.max(median, upper)),
  );
  const scale = buildLinearScale(largest * 1.02, { from: LEFT, to: RIGHT });
  const isLegendShown = chart.series.length > 1;
  const top = HEADING_HEIGHT + (isLegendShown ? LEGEND_HEIGHT : 0) + (chart.reference ? REFERENCE_HEIGHT : 0);
  const bottom = top + chart.groups.length * getGroupHeight(chart);
  return formatPage({ ...chart, description: describe(chart) }, bottom + AXIS_HEIGHT, [
    ...(isLegendShown ? drawLegend(chart.series) : []),
    ...drawAxis(chart, scale, { top, bottom }),
    ...chart.groups.flatMap((group, index) =>
      drawGroup(group, top + index * getGroupHeight(chart), { chart, place: scale.place }),
    ),
    ...drawReference(chart, scale, { top, bottom }),
  ]);
}

interface Extent {
  top: number;
  bottom: number;
}

function getGroupHeight({ series }: BarChart): number {
  return series.length * BAR_HEIGHT + (series.length - 1) * BAR_GAP + GROUP_GAP;
}

function drawLegend(series: string[]): string[] {
  const y = HEADING_HEIGHT;
  let x = MARGIN;
  return series.flatMap((name, index) => {
    const start = x;
    x += 60 + name.length * 7.5;
    return [
      formatElement('rect', {
        class: getBarClass('bare', index),
        x: start,
        y,
        width: 22,
        height: BAR_HEIGHT,
      }),
      formatText('text', { class: 'muted', x: start + 30, y: y + 10 }, name),
    ];
  });
}

function drawAxis({ axis }: BarChart, { place, ticks }: Scale, { top, bottom }: Extent): string[] {
  return [
    ...ticks.flatMap((tick) => [
      formatElement('path', { class: 'grid', d: `M${round(place(tick))} ${top}V${bottom}` }),
      formatText('text', { class: 'muted middle', x: place(tick), y: bottom + 17 }, formatTick(tick)),
    ]),
    formatText('text', { class: 'muted middle', x: (LEFT + RIGHT) / 2, y: bottom + 38 }, axis),
  ];
}

function drawGroup({ label, kind, bars }: BarGroup, top: number, drawing: Drawing): string[] {
  const first = top + GROUP_GAP / 2;
  const middle = top + getGroupHeight(drawing.chart) / 2;
  const isOurs = kind === 'ours';
  return [
    formatText('text', { class: isOurs ? 'end ours-label' : 'end', x: LEFT - 12, y: middle + 4 }, label),
    ...bars.flatMap((bar, index) => {
      const y = first + index * (BAR_HEIGHT + BAR_GAP);
      return bar ? drawBar(bar, { y, class: getBarClass(kind, index) }, drawing) : drawGap(y, drawing);
    }),
  ];
}

interface Drawing {
  chart: BarChart;
  place: Scale['place'];
}

function drawBar(
  { median, lower, upper }: Estimate,
  bar: { y: number; class: string },
  drawing: Drawing,
): string[] {
  const { place, chart } = drawing;
  const middle = bar.y + BAR_HEIGHT / 2;
  const [end, from, to] = [place(median), round(place(lower)), round(place(upper))];
  const cap = `v${CAP * 2}`;
  return [
    formatElement('rect', { ...bar, x: LEFT, width: end - LEFT, height: BAR_HEIGHT }),
    formatElement('path', {
      class: 'whisker',
      d: `M${from} ${middle - CAP}${cap}M${from} ${middle}H${to}M${to} ${middle - CAP}${cap}`,
    }),
    formatText(
      'text',
      { x: clearReference(Math.max(end, to) + CLEARANCE, drawing), y: middle + 4 },
      chart.formatValue(median),
    ),
  ];
}

/** Says that a subject has no figure, where its bar would be. */
function drawGap(y: number, drawing: Drawing): string[] {
  const x = clearReference(LEFT + CLEARANCE, drawing, ABSENT_WIDTH);
  return [formatText('text', { class: 'muted', x, y: y + BAR_HEIGHT / 2 + 4 }, ABSENT)];
}

/** Moves text that the reference line would cross behind that line. */
function clearReference(x: number, { place, chart: { reference } }: Drawing, width = VALUE_WIDTH): number {
  if (!reference) return x;
  const line = place(reference.value);
  return line > x - CLEARANCE && line < x + width ? line + CLEARANCE : x;
}

/** Bars of the first series are filled, those of the second are outlined: color tells subjects apart. */
function getBarClass(kind: Kind, series: number): string {
  return series === 0 ? `bar ${kind}` : `bar ${kind} outlined`;
}

function drawReference({ reference }: BarChart, { place }: Scale, { top, bottom }: Extent): string[] {
  if (!reference) return [];
  const x = round(place(reference.value));
  const isOnTheRight = x > (LEFT + RIGHT) / 2;
  return [
    formatElement('path', { class: 'reference', d: `M${x} ${top - 4}V${bottom}` }),
    formatText(
      'text',
      { class: isOnTheRight ? 'muted end' : 'muted', x: isOnTheRight ? x + 4 : x - 4, y: top - 10 },
      reference.label,
    ),
  ];
}

function describe({ groups, series, formatValue }: BarChart): string {
  return groups
    .map(({ label, bars }) => {
      const values = bars.map((bar, index) => {
        const name = series.length > 1 ? `${series[index] ?? ''} ` : '';
        return bar
          ? `${name}${formatValue(bar.median)} (${formatValue(bar.lower)} to ${formatValue(bar.upper)})`
          : `${name}${ABSENT}`;
      });
      return `${label}: ${values.join(', ')}.`;
    })
    .join(' ');
}

function formatTick(tick: number): string {
  return String(Math.round(tick * 1000) / 1000);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
