import { formatElement, formatText } from './svg.js';
import { STYLE_SHEET } from './style.js';

/** What stands above every plot, and is read out instead of it. */
export interface Heading {
  title: string;
  /** What is measured, and in what. */
  subtitle: string;
  /** Every value in words, for readers who do not see the plot. */
  description: string;
}

export const PAGE_WIDTH = 800;
export const MARGIN = 24;

/** Where the plot begins below the heading. */
export const HEADING_HEIGHT = 74;

const TITLE_Y = 36;
const SUBTITLE_Y = 57;

/** Formats a whole SVG file: a sheet of paper with a heading on which `children` are drawn. */
export function formatPage(
  { title, subtitle, description }: Heading,
  height: number,
  children: string[],
): string {
  const page = formatElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${PAGE_WIDTH} ${Math.ceil(height)}`,
      width: PAGE_WIDTH,
      height: Math.ceil(height),
      role: 'img',
      'aria-labelledby': 'title description',
    },
    [
      formatText('title', { id: 'title' }, title),
      formatText('desc', { id: 'description' }, description),
      `<style>\n${STYLE_SHEET}\n</style>`,
      formatElement('rect', {
        class: 'paper',
        x: 0.5,
        y: 0.5,
        width: PAGE_WIDTH - 1,
        height: Math.ceil(height) - 1,
        rx: 8,
      }),
      formatText('text', { class: 'title', x: MARGIN, y: TITLE_Y }, title),
      formatText('text', { class: 'muted', x: MARGIN, y: SUBTITLE_Y }, subtitle),
      ...children,
    ],
  );
  return `${page}\n`;
}
