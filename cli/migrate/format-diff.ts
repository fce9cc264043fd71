import { compareLines } from './compare-lines.js';

/** A file's content before and after a change. */
export interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const CONTEXT_LINES = 3;

/** Formats changes as `diff -u` does. */
export function formatDiff({ path, before, after }: Difference): string {
  const lines = listLines(splitLines(before), splitLines(after));
  const hunks = groupLines(lines).map((hunk) => formatHunk(hunk));
  const name = (side: string, text: string) => (text === '' ? '/dev/null' : `${side}/${path}`);
  return [`--- ${name('a', before)}`, `+++ ${name('b', after)}`, ...hunks].join('\n');
}

interface Line {
  readonly sign: ' ' | '-' | '+';
  /** The line, with its line end. */
  readonly text: string;
  /** The lines before it, on both sides. */
  readonly before: number;
  readonly after: number;
}

/** The last line may have no line end. */
function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function listLines(one: readonly string[], other: readonly string[]): readonly Line[] {
  const { isRemoved, isAdded } = compareLines(one, other);
  const lines: Line[] = [];
  let [before, after] = [0, 0];
  while (before < one.length || after < other.length) {
    const place = { before, after };
    if (isRemoved[before] === 1) lines.push({ sign: '-', text: one[before++] ?? '', ...place });
    else if (isAdded[after] === 1) lines.push({ sign: '+', text: other[after++] ?? '', ...place });
    else {
      lines.push({ sign: ' ', text: one[before++] ?? '', ...place });
      after += 1;
    }
  }
  return lines;
}

/** Groups changes that are close to one another. */
function groupLines(lines: readonly Line[]): readonly (readonly Line[])[] {
  const groups: { start: number; end: number }[] = [];
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const last = groups.at(-1);
    if (last !== undefined && index - last.end <= 2 * CONTEXT_LINES) last.end = index;
    else groups.push({ start: index, end: index });
  }
  return groups.map(({ start, end }) =>
    lines.slice(Math.max(0, start - CONTEXT_LINES), end + CONTEXT_LINES + 1),
  );
}

function formatHunk(lines: readonly Line[]): string {
  const [first] = lines;
  const count = (absent: string) => lines.filter(({ sign }) => sign !== absent).length;
  const range = (start: number, length: number) => `${length === 0 ? start : start + 1},${length}`;
  const header = `@@ -${range(first?.before ?? 0, count('+'))} +${range(first?.after ?? 0, count('-'))} @@`;
  return [header, ...lines.map(formatLine)].join('\n');
}

function formatLine({ sign, text }: Line): string {
  const line = `${sign}${text.replace(/\r?\n$/, '')}`;
  return text.endsWith('\n') ? line : `${line}\n\\ No newline at end of file`;
}
