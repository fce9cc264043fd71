import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { makeLine, makeVisible } from '../visible-text.js';
import type { SourcePosition } from './source-positions.js';

/** Lines that are shown before the one that is meant, and behind it. */
const BEFORE = 2;
const AFTER = 2;

/** More of a line does not fit. */
const LONGEST_LINE = 160;

/** Writes where something was thrown: the place, and the lines around it with a mark. */
export function formatCodeFrame(root: string, { file, line, column, content }: SourcePosition): string {
  const place = `${makeLine(relative(root, file))}:${line}:${column}`;
  const lines = readLines(file) ?? content?.split('\n');
  const first = Math.max(1, line - BEFORE);
  const shown = (lines ?? []).slice(first - 1, line + AFTER);
  if (shown.length === 0 || line > first - 1 + shown.length) return place;
  const width = String(first + shown.length - 1).length;
  const rows = shown.flatMap((text, index) => {
    const number = first + index;
    const isMeant = number === line;
    const row = `${isMeant ? '>' : ' '} ${String(number).padStart(width)} | ${makeRow(text)}`.trimEnd();
    const mark = `  ${' '.repeat(width)} | ${indentOf(text, column)}^`;
    return isMeant && column <= LONGEST_LINE ? [row, mark] : [row];
  });
  return [place, ...rows].join('\n');
}

/** Tabs stay, so that the mark stands below what it marks. */
function makeRow(text: string): string {
  return makeVisible(text.slice(0, LONGEST_LINE));
}

function indentOf(text: string, column: number): string {
  return text.slice(0, Math.max(0, column - 1)).replace(/[^\t]/g, ' ');
}

function readLines(file: string): readonly string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return undefined;
  }
}
