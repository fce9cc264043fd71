/** A file before and after. */
export interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const CONTEXT_LINES = 3;

/** Writes changes as `diff -u` does. */
export function formatDiff({ path, before, after }: Difference): string {
  const operations = compareLines(splitLines(before), splitLines(after));
  const hunks = groupOperations(operations).map((hunk) => formatHunk(hunk));
  return [`--- a/${path}`, `+++ b/${path}`, ...hunks].join('\n');
}

interface Operation {
  readonly sign: ' ' | '-' | '+';
  readonly line: string;
  /** The lines before it, on both sides. */
  readonly before: number;
  readonly after: number;
}

function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Finds the fewest lines to take out and to put in, by the lengths of common parts. */
function compareLines(before: readonly string[], after: readonly string[]): readonly Operation[] {
  const start = countEqual(before, after);
  const end = countEqual(before.slice(start).toReversed(), after.slice(start).toReversed());
  const inner = compareInner(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  const plain = (line: string) => ({ sign: ' ', line }) as const;
  const all = [
    ...before.slice(0, start).map(plain),
    ...inner,
    ...before.slice(before.length - end).map(plain),
  ];
  return number(all);
}

function countEqual(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((line, at) => line !== other[at]);
  return index === -1 ? Math.min(one.length, other.length) : index;
}

type Line = Pick<Operation, 'sign' | 'line'>;

function compareInner(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lengths = measureCommon(before, after);
  const lines: Line[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const isEqual = left < before.length && right < after.length && before[left] === after[right];
    const isRemoved =
      right >= after.length || lengthAt(lengths, left + 1, right) >= lengthAt(lengths, left, right + 1);
    if (isEqual) lines.push({ sign: ' ', line: before[left++] ?? '' });
    else if (left < before.length && isRemoved) lines.push({ sign: '-', line: before[left++] ?? '' });
    else lines.push({ sign: '+', line: after[right++] ?? '' });
    if (isEqual) right += 1;
  }
  return lines;
}

function lengthAt(lengths: readonly Uint32Array[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}

/** For each pair of positions, how many lines both have in common from there on. */
function measureCommon(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const lengths: Uint32Array[] = [new Uint32Array(after.length + 1)];
  for (const line of before.toReversed()) lengths.unshift(measureRow(line, after, lengths[0]));
  return lengths;
}

/** The next row is that of the line behind. */
function measureRow(line: string, after: readonly string[], next: Uint32Array | undefined): Uint32Array {
  const row = new Uint32Array(after.length + 1);
  for (let right = after.length - 1; right >= 0; right--) {
    const isEqual = line === after[right];
    row[right] = isEqual ? (next?.[right + 1] ?? 0) + 1 : Math.max(next?.[right] ?? 0, row[right + 1] ?? 0);
  }
  return row;
}

function number(lines: readonly Line[]): readonly Operation[] {
  let [before, after] = [0, 0];
  return lines.map(({ sign, line }) => {
    const operation = { sign, line, before, after };
    if (sign !== '+') before += 1;
    if (sign !== '-') after += 1;
    return operation;
  });
}

/** Changes that stand near one another are shown together. */
function groupOperations(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const changed = operations.flatMap(({ sign }, index) => (sign === ' ' ? [] : [index]));
  const groups: { start: number; end: number }[] = [];
  for (const index of changed) {
    const last = groups.at(-1);
    if (last !== undefined && index - last.end <= 2 * CONTEXT_LINES) last.end = index;
    else groups.push({ start: index, end: index });
  }
  return groups.map(({ start, end }) =>
    operations.slice(Math.max(0, start - CONTEXT_LINES), end + CONTEXT_LINES + 1),
  );
}

function formatHunk(operations: readonly Operation[]): string {
  const [first] = operations;
  const count = (absent: string) => operations.filter(({ sign }) => sign !== absent).length;
  const range = (start: number, length: number) => `${length === 0 ? start : start + 1},${length}`;
  const header = `@@ -${range(first?.before ?? 0, count('+'))} +${range(first?.after ?? 0, count('-'))} @@`;
  return [header, ...operations.map(({ sign, line }) => `${sign}${line}`)].join('\n');
}
