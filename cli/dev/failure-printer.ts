import { readFileSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { FailureReport, ReporterFacts } from '../../lib/core/development/report.js';
import { makeLine, makeName, makeVisible } from '../visible-text.js';
import { isFrame, readFrame, type SourcePosition, SourcePositions } from './source-positions.js';

/** One of the application's processes. */
export type Reporter = ReporterFacts;

/** The number of lines to show before and after a position. */
const BEFORE = 2;
const AFTER = 2;

/** The maximum length of a line. */
const LONGEST_LINE = 160;

/** Formats an error's position, and the source lines around it with a marker. */
function formatCodeFrame(root: string, { file, line, column, content }: SourcePosition): string {
  const position = `${makeLine(relative(root, file))}:${line}:${column}`;
  const lines = readLines(file) ?? content?.split('\n');
  const first = Math.max(1, line - BEFORE);
  const shown = (lines ?? []).slice(first - 1, line + AFTER);
  if (shown.length === 0 || line > first - 1 + shown.length) return position;
  const width = String(first + shown.length - 1).length;
  const rows = shown.flatMap((text, index) => {
    const number = first + index;
    const isMeant = number === line;
    const row = `${isMeant ? '>' : ' '} ${String(number).padStart(width)} | ${makeRow(text)}`.trimEnd();
    const mark = `  ${' '.repeat(width)} | ${indentOf(text, column)}^`;
    return isMeant && column <= LONGEST_LINE ? [row, mark] : [row];
  });
  return [position, ...rows].join('\n');
}

/** Preserves tabs, so that the marker is aligned. */
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

const MOST_FRAMES = 100;

/** Milliseconds without output after which a stack is complete. */
const PAUSE_MS = 300;

/** Milliseconds within which the same error is not printed again. */
const SAME_MS = 2000;

const LONGEST_MESSAGE = 600;

/** The maximum number of failures to print per second. */
const MOST_FAILURES = 10;
const PERIOD_MS = 1000;

const TAKEN = /\bEADDRINUSE\b.*?:(\d{1,5})\b/;

/** Returns the port that a line reports as in use, or `undefined` for any other line. */
export function findTakenPort(line: string): number | undefined {
  const [, port] = TAKEN.exec(line) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** Prints where errors were thrown in the application's own code. */
export class FailurePrinter {
  readonly #positions: SourcePositions;
  #frames: string[] = [];
  #pause: NodeJS.Timeout | undefined;
  #period = { begunAt: -Infinity, printed: 0 };
  /** The messages from the last few seconds, with their times. */
  readonly #printedAt = new Map<string, number>();

  /**
   * @param root the application's folder
   * @param write writes lines
   */
  constructor(
    private readonly root: string,
    private readonly write: (lines: readonly string[]) => void,
  ) {
    this.#positions = new SourcePositions(root);
  }

  /**
   * Prints the error of a call, or the error that ended the process. If errors flood in, only some are printed. The
   * others are only counted, along with their calls.
   */
  print({ method, target, name, message, stack }: FailureReport, { packageRoot }: Reporter): void {
    if (!this.#hasRoom()) return;
    const frames = stack.split('\n').filter(isFrame);
    const isOfStart = method === undefined;
    const position = findSourcePosition(frames, {
      root: this.root,
      packageRoot,
      positions: this.#positions,
      isOfStart,
    });
    const call = [method, target].flatMap((part) => (part === undefined ? [] : [makeName(part)])).join(' ');
    const heading = `${call === '' ? 'The application fails' : `${call} fails`}: ${formatError(name, message)}`;
    const frame = position && formatCodeFrame(this.root, position);
    if (frame !== undefined) this.#note(frame);
    this.write([heading, ...indent(frame)]);
  }

  /** Reads a line from the application before it reports. A stack explains why the application does not start. */
  read(line: string): void {
    const port = findTakenPort(line);
    if (port !== undefined) {
      const fix = `Port ${port} is in use: stop the process that listens on it, or configure another port`;
      if (this.#note(fix)) this.write([fix]);
    }
    if (!isFrame(line)) return this.flush();
    if (this.#frames.length < MOST_FRAMES) this.#frames.push(line);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.flush(), PAUSE_MS).unref();
  }

  /** Prints the position of the last stack. */
  flush(): void {
    clearTimeout(this.#pause);
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    const facts = { root: this.root, packageRoot: '', positions: this.#positions, isOfStart: true };
    const position = findSourcePosition(frames, facts);
    const frame = position && formatCodeFrame(this.root, position);
    if (frame !== undefined && this.#note(frame)) this.write(indent(frame));
  }

  #hasRoom(): boolean {
    const now = performance.now();
    if (now - this.#period.begunAt > PERIOD_MS) this.#period = { begunAt: now, printed: 0 };
    this.#period.printed += 1;
    return this.#period.printed <= MOST_FAILURES;
  }

  /** Records a message. Returns whether it is new. */
  #note(text: string): boolean {
    const at = performance.now();
    for (const [old, printedAt] of this.#printedAt) if (at - printedAt > SAME_MS) this.#printedAt.delete(old);
    const isNew = !this.#printedAt.has(text);
    this.#printedAt.set(text, at);
    return isNew;
  }
}

function formatError(name: string, message: string): string {
  const line = makeLine(message);
  const cut = line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
  return name === '' || name === 'Error' ? cut : `${makeName(name)}: ${cut}`;
}

function indent(frame: string | undefined): readonly string[] {
  return frame === undefined ? [] : frame.split('\n').map((line) => `  ${line}`);
}

/** The folders that determine whose code a position belongs to. */
interface Folders {
  /** The application's folder. */
  readonly root: string;
  /** This package's folder in the application; empty if it is unknown. */
  readonly packageRoot: string;
}

/** The facts that select a stack frame. */
interface StackFacts extends Folders {
  readonly positions: SourcePositions;
  /**
   * Whether this package's caller counts as well. If this package throws during a call, the error is about the call,
   * and the application's middleware in the stack is not the cause.
   */
  readonly isOfStart: boolean;
}

/** Finds the first position in the application's own code in a stack. Returns `undefined` if there is none. */
function findSourcePosition(frames: readonly string[], facts: StackFacts): SourcePosition | undefined {
  for (const frame of frames) {
    const position = readFrame(frame);
    if (position === undefined) continue;
    if (!facts.isOfStart && isOfPackage(position.file, facts)) return undefined;
    const source = facts.positions.find(position);
    if (isApplicationFile(source.file, facts)) return source;
  }
  return undefined;
}

function isApplicationFile(file: string, folders: Folders): boolean {
  const path = relative(folders.root, file);
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return isInside && !path.split(sep).includes('node_modules') && !isOfPackage(file, folders);
}

/** The parts of the package; its folder may contain other code. */
function isOfPackage(file: string, { packageRoot }: Folders): boolean {
  if (packageRoot === '') return false;
  const [first] = relative(packageRoot, file).split(sep);
  return first === 'dist' || first === 'lib';
}
