import type { Target } from './target.js';

/** One check of a server, reported on one line. */
export interface Check {
  /** Its name, which does not change. */
  readonly id: string;
  /** Returns `undefined` if the check does not apply. */
  readonly run: (target: Target) => Promise<Outcome | undefined>;
}

/** `warning` affects some clients, `error` breaks a client or violates the specification, `skipped` was not examined. */
export type FindingStatus = 'ok' | 'warning' | 'error' | 'skipped';

/** A check's result. */
export interface Outcome {
  readonly status: FindingStatus;
  /** What the check found, in one line. */
  readonly found: string;
  /** How to fix it; empty if there is nothing to fix. */
  readonly fix: string;
  /** Why no further checks make sense: the server is unavailable, or does not respond to a client. */
  readonly ends?: 'unreachable' | 'unanswered';
}

/** A check's result, with the ID of the check. */
export interface Finding {
  readonly id: string;
  readonly status: FindingStatus;
  readonly found: string;
  readonly fix: string;
}

/** Builds the result of a check that passes. */
export function ok(found: string, fix = ''): Outcome {
  return { status: 'ok', found, fix };
}

/** Builds the result of a check that finds a problem for some clients. */
export function warning(found: string, fix: string): Outcome {
  return { status: 'warning', found, fix };
}

/** Builds the result of a check that fails. */
export function failure(found: string, fix: string): Outcome {
  return { status: 'error', found, fix };
}

/** Builds the result of a check that was skipped, including what it requires. */
export function skipped(found: string, fix: string): Outcome {
  return { status: 'skipped', found, fix };
}

/** Marks a result as the end of the examination. */
export function end(outcome: Outcome, ends: 'unreachable' | 'unanswered' = 'unanswered'): Outcome {
  return { ...outcome, ends };
}

const LONGEST_QUOTE = 160;
const MOST_LISTED = 3;

/** Quotes a server's value: printable, short, and without terminal control characters. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return quoteShort(text.replace(/[^\x20-\x7e]/g, '?'));
}

/** Lists several names on one line. */
export function list(names: readonly string[]): string {
  return names.map(quote).join(', ');
}

/** Lists the first few strings, with the number of remaining ones. */
export function listFirst(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_LISTED);
  if (texts.length > MOST_LISTED) shown.push(`and ${texts.length - MOST_LISTED} more`);
  return shown.join(', ');
}

/** Quotes a printable line, and truncates it if it is long. */
export function quoteShort(line: string): string {
  return line.length > LONGEST_QUOTE ? `"${line.slice(0, LONGEST_QUOTE)}…"` : `"${line}"`;
}

/** Formats a count, such as `1 tool` or `3 tools`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Evaluates a server that is accessed without TLS. */
export function judgePlainHttp({ isLocal }: Target): Outcome {
  if (isLocal) return ok('No TLS, which loopback connections do not need');
  return failure(
    'The URL is plain "http"',
    'Serve it over HTTPS: tokens and responses can be read in transit',
  );
}
