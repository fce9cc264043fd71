import type { FailureReport } from '../../lib/core/development/report.interface.js';
import { makeLine, makeName } from '../visible-text.js';
import { formatCodeFrame } from './code-frame.js';
import { findPlace } from './find-place.js';
import type { Reporter } from './report-server.js';
import { SourcePositions } from './source-positions.js';
import { isFrame } from './stack-frames.js';

const MOST_FRAMES = 100;

/** Lines behind which a stack is over, though nothing else was printed. */
const PAUSE_MS = 300;

/** What an application prints of an error it may print twice. */
const SAME_MS = 2000;

const LONGEST_MESSAGE = 600;

/** Failures that are told in a second. */
const MOST_FAILURES = 10;
const PERIOD_MS = 1000;

const TAKEN = /\bEADDRINUSE\b.*?:(\d{1,5})\b/;

/** Returns the port that a line reports as taken, or `undefined` if the line says something else. */
export function findTakenPort(line: string): number | undefined {
  const [, port] = TAKEN.exec(line) ?? [];
  return port === undefined ? undefined : Number(port);
}

/** Tells where in the application's own code something was thrown. */
export class FailureTeller {
  readonly #positions: SourcePositions;
  #frames: string[] = [];
  #pause: NodeJS.Timeout | undefined;
  #period = { begunAt: -Infinity, told: 0 };
  /** What was told in the last seconds, and when. */
  readonly #told = new Map<string, number>();

  /**
   * @param root the folder of the application
   * @param print writes lines
   */
  constructor(
    private readonly root: string,
    private readonly print: (lines: readonly string[]) => void,
  ) {
    this.#positions = new SourcePositions(root);
  }

  /**
   * Prints the error of a call, or the error that ended the process. Of a flood it prints only some. The others are
   * counted with their calls.
   */
  tell({ method, target, name, message, stack }: FailureReport, { packageRoot }: Reporter): void {
    if (!this.#hasRoom()) return;
    const frames = stack.split('\n').filter(isFrame);
    const isOfStart = method === undefined;
    const place = findPlace(frames, { root: this.root, packageRoot, positions: this.#positions, isOfStart });
    const call = [method, target].flatMap((part) => (part === undefined ? [] : [makeName(part)])).join(' ');
    const heading = `${call === '' ? 'The application fails' : `${call} fails`}: ${formatError(name, message)}`;
    const frame = place && formatCodeFrame(this.root, place);
    if (frame !== undefined) this.#note(frame);
    this.print([heading, ...indent(frame)]);
  }

  /** Reads a line that the application printed while nothing of it reports: a stack tells why it does not start. */
  read(line: string): void {
    const port = findTakenPort(line);
    if (port !== undefined) {
      const remedy = `Port ${port} is taken: end what listens there, or have the application listen at another one`;
      if (this.#note(remedy)) this.print([remedy]);
    }
    if (!isFrame(line)) return this.flush();
    if (this.#frames.length < MOST_FRAMES) this.#frames.push(line);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.flush(), PAUSE_MS).unref();
  }

  /** Tells where the stack leads that was printed last. */
  flush(): void {
    clearTimeout(this.#pause);
    const frames = this.#frames;
    if (frames.length === 0) return;
    this.#frames = [];
    const facts = { root: this.root, packageRoot: '', positions: this.#positions, isOfStart: true };
    const place = findPlace(frames, facts);
    const frame = place && formatCodeFrame(this.root, place);
    if (frame !== undefined && this.#note(frame)) this.print(indent(frame));
  }

  #hasRoom(): boolean {
    const now = performance.now();
    if (now - this.#period.begunAt > PERIOD_MS) this.#period = { begunAt: now, told: 0 };
    this.#period.told += 1;
    return this.#period.told <= MOST_FAILURES;
  }

  /** Remembers a message, and tells whether it is new. */
  #note(text: string): boolean {
    const at = performance.now();
    for (const [old, toldAt] of this.#told) if (at - toldAt > SAME_MS) this.#told.delete(old);
    const isNew = !this.#told.has(text);
    this.#told.set(text, at);
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
