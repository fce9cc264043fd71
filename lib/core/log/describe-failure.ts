import { escapeText } from './escape-text.js';

/** Returns an error's message, or any other thrown value as a string. It may contain client input. */
export function explainError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A description of a thrown value. */
export interface Described {
  /** The log line. */
  readonly text: string;
  /** The unmodified message; present only for an error. */
  readonly message?: string;
  /** The part of the stack that the log shows. */
  readonly stack?: string | undefined;
}

/** Describes a thrown value, which may be anything, even a value that throws again when it is read. */
export function describeFailure(failure: unknown): Described {
  try {
    if (!(failure instanceof Error)) return { text: escapeText(String(failure)) };
    const { message } = failure;
    const stack: unknown = failure.stack;
    const text = escapeText(message);
    if (typeof stack !== 'string') return { text, message };
    return { text, message, stack: escapeStack(message === '' ? stack : stack.replace(message, () => text)) };
  } catch {
    return { text: 'the thrown value cannot be shown' };
  }
}

const FRAME = /^ {4}at /;

/**
 * Returns a stack with only its last frames intact. Everything before them becomes one line: a message may quote client
 * input, and may have changed since the stack was created.
 */
function escapeStack(stack: string): string {
  const lines = stack.split('\n');
  let first = lines.length;
  const least = Math.max(1, lines.length - Error.stackTraceLimit);
  while (first > least && FRAME.test(lines[first - 1] ?? '')) first -= 1;
  const head = lines.slice(0, first).join('\n');
  return [head, ...lines.slice(first)].map((line) => escapeText(line)).join('\n');
}

/** The part of Nest's `Logger` that logs errors. */
export interface ErrorLogger {
  error(message: string, stack?: string): void;
}

/** Logs an error that does not belong to a call, always on one line. */
export function logError(logger: ErrorLogger, failure: unknown, what?: string): void {
  const { text, stack } = describeFailure(failure);
  logger.error(what === undefined ? text : `${what}: ${text}`, stack);
}
