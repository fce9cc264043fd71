import { type Estimate } from '../bench-output.js';
import { formatPage, HEADING_HEIGHT, type Heading, MARGIN, PAGE_WIDTH } from './page.js';
import { buildLinearScale, buildLogarithmicScale, type Scale } from './scale.js';
import { type Kind } from './style.js';
import { formatElement, formatText } from './svg.js';

/** What one subject came to, for each number of what there is of it. */
export interface Line {
  label: string;
  kind: Kind;
  points: { count: number; estimate: Estimate }[];
}

/** One of several plots side by side. */
export interface Panel {
  label: string;
  /** What is counted at its axis. */
  axis: string;
  lines: Line[];
}

export interface LineChart extends Pick<Heading, 'title' | 'subtitle'> {
  panels: Panel[];
  reference: { value: number; label: string };
  formatValue(value: number): string;
}

const AXIS_WIDTH = 44;
const PANEL_GAP = 28;
const PANEL_HEIGHT = 190;
const PANEL_LABEL_HEIGHT = 26;
const AXIS_HEIGHT = 58;
const INSET = 20;
const CAP = 3;
const RADIUS = 3.5;
const TOP = HEADING_HEIGHT + PANEL_LABEL_HEIGHT;
const BOTTOM = TOP + PANEL_HEIGHT;

/** Draws lines over a number that grows tenfold, from zero upwards, with whiskers for what each point lies between. */
export function drawLineChart(chart: LineChart): string {
  const estimates = chart.panels.flatMap(({ lines }) => lines.flatMap(({ points }) => points));
  const largest = Math.max(chart.reference.value, ...estimates.map(({ estimate }) => estimate.upper));
  const vertical = buildLinearScale(largest * 1.1, { from: BOTTOM, to: TOP }, 5);
  const width = (PAGE_WIDTH - 2 * MARGIN - AXIS_WIDTH + PANEL_GAP) / chart.panels.length;
  return formatPage({ ...chart, description: describe(chart) }, BOTTOM + AXIS_HEIGHT, [
    ...vertical.ticks.map((tick) =>
      formatText(
        'text',
        { class: 'muted end', x: MARGIN + AXIS_WIDTH - 10, y: vertical.place(tick) + 4 },
        chart.formatValue(tick),
      ),
    ),
    ...chart.panels.flatMap((panel, index) => {
      const left = MARGIN + AXIS_WIDTH + index * width;
      return drawPanel(panel, chart.reference, { left, right: left + width - PANEL_GAP, vertical });
    }),
  ]);
}

interface Frame {
  left: number;
  right: number;
  vertical: Scale;
}

function drawPanel(panel: Panel, reference: LineChart['reference'], frame: Frame): string[] {
  const { left, right, vertical } = frame;
  const counts = panel.lines.flatMap(({ points }) => points.map(({ count }) => count));
  const horizontal = buildLogarithmicScale(counts, { from: left + INSET, to: right - INSET });
  const level = round(vertical.place(reference.value));
  return [
    formatText('text', { class: 'panel', x: left, y: TOP - 12 }, panel.label),
    ...vertical.ticks.map((tick) =>
      formatElement('path', {
        class: 'grid',
        d: `M${round(left)} ${round(vertical.place(tick))}H${round(right)}`,
      }),
    ),
    ...horizontal.ticks.map((tick) =>
      formatText(
        'text',
        { class: 'muted middle', x: horizontal.place(tick), y: BOTTOM + 18 },
        tick.toLocaleString('en-GB'),
      ),
    ),
    formatText('text', { class: 'muted middle', x: (left + right) / 2, y: BOTTOM + 40 }, panel.axis),
    formatElement('path', { class: 'reference', d: `M${round(left)} ${level}H${round(right)}` }),
    ...panel.lines.flatMap((line) => drawLine(line, horizontal, vertical)),
  ];
}

function drawLine({ kind, points }: Line, horizontal: Scale, vertical: Scale): string[] {
  const placed = points.map(({ count, estimate: { median, lower, upper } }) => ({
    x: round(horizontal.place(count)),
    y: round(vertical.place(median)),
    from: round(vertical.place(lower)),
    to: round(vertical.place(upper)),
  }));
  return [
    formatElement('polyline', {
      class: `${kind} line`,
      points: placed.map(({ x, y }) => `${x},${y}`).join(' '),
    }),
    ...placed.flatMap(({ x, y, from, to }) => [
      formatElement('path', {
        class: 'whisker',
        d: `M${x - CAP} ${from}h${CAP * 2}M${x} ${from}V${to}M${x - CAP} ${to}h${CAP * 2}`,
      }),
      formatElement('circle', { class: kind, cx: x, cy: y, r: RADIUS }),
    ]),
  ];
}

function describe({ panels, formatValue }: LineChart): string {
  return panels
    .flatMap(({ label, lines }) =>
      lines.map((line) => {
        const values = line.points.map(
          ({ count, estimate }) => `${formatValue(estimate.median)} at ${count.toLocaleString('en-GB')}`,
        );
        return `${label}, ${line.label}: ${values.join(', ')}.`;
      }),
    )
    .join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
