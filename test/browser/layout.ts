import type { Page } from 'playwright-core';

/** What is looked at of a page. */
const PARTS = 'h1, h2, h3, a, button, input, select, textarea, pre, summary, dialog, table, figure, img';

/** Pixels by which something may stand elsewhere or be larger: browsers draw their own parts of forms, each in its way. */
const TOLERANCE = 12;

/** Reads what somebody sees of a page, a line for each part: what it is, where it is, how large, and what it says. */
export async function readLayout(page: Page): Promise<string> {
  const lines = await page.evaluate<readonly string[]>(`(() => {
    const say = (part) => part.matches('input, select, textarea, table, figure, dialog, img') ? (part.labels?.[0]?.innerText ?? '') : part.innerText;
    return [...document.querySelectorAll(${JSON.stringify(PARTS)})].flatMap((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      if (width === 0 || height === 0 || y >= innerHeight || x + width <= 0) return [];
      const text = say(part).replace(/\\s+/g, ' ').replace(/127\\.0\\.0\\.1:\\d+/g, 'HOST').replace(/\\d\\d:\\d\\d:\\d\\d\\.\\d{3}/g, 'TIME').replace(/\\b[\\d.]+ m?s\\b/g, 'MS').trim().slice(0, 60);
      return [[part.localName, ...[x, y, width, height].map(Math.round), text].join(' ').trim()];
    });
  })()`);
  return `${lines.join('\n')}\n`;
}

interface Part {
  /** What it is, and what it says. */
  readonly name: string;
  readonly place: readonly number[];
}

/** Says what is elsewhere, missing, or there besides. */
export function compareLayouts(kept: string, found: string): readonly string[] {
  const before = parse(kept);
  const after = parse(found);
  const missing = before.filter((part) => !after.some((one) => isSame(one, part)));
  const added = after.filter((part) => !before.some((one) => isSame(one, part)));
  return [
    ...missing.map((part) => `missing: ${describe(part)}`),
    ...added.map((part) => `not there before: ${describe(part)}`),
  ];
}

function parse(layout: string): readonly Part[] {
  return layout.split('\n').flatMap((line) => {
    const [, what = '', numbers = '', text = ''] = /^(\w+) (-?\d+ -?\d+ \d+ \d+)(.*)$/.exec(line) ?? [];
    return what === '' ? [] : [{ name: what + text, place: numbers.split(' ').map(Number) }];
  });
}

function isSame(one: Part, other: Part): boolean {
  if (one.name !== other.name) return false;
  return one.place.every((number, index) => Math.abs(number - (other.place[index] ?? 0)) <= TOLERANCE);
}

function describe({ name, place: [x, y, width, height] }: Part): string {
  return `${name} at ${x}, ${y}, ${width} by ${height}`;
}
