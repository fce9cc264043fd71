import { beforeEach } from '@jest/globals';
import type { LoggerService } from '@nestjs/common';

/** A line that an application logged. */
export interface LogLine {
  readonly level: 'log' | 'error' | 'warn' | 'debug' | 'verbose' | 'fatal';
  /** All that the logger was given, as text. */
  readonly text: string;
}

/**
 * Keeps every line that an application logs, at any level.
 *
 * @example
 * const log = new RecordedLog();
 * const desk = await bootDesk(adapter, { nest: { logger: log } });
 * expect(log.find('debug', 'A token was refused')).toHaveLength(1);
 */
export class RecordedLog implements LoggerService {
  readonly lines: LogLine[] = [];

  /** All lines as one text. */
  get text(): string {
    return this.lines.map(({ level, text }) => `${level} ${text}`).join('\n');
  }

  /** Gives the lines of a level that begin with a text. */
  find(level: LogLine['level'], beginning = ''): readonly string[] {
    return this.lines
      .filter((line) => line.level === level && line.text.startsWith(beginning))
      .map(({ text }) => text);
  }

  /** Gives the warnings that contain a text. */
  findWarnings(text: string): readonly string[] {
    return this.find('warn').filter((line) => line.includes(text));
  }

  /** Forgets what there was so far. */
  clear(): void {
    this.lines.length = 0;
  }

  log(...parts: unknown[]): void {
    this.#keep('log', parts);
  }

  error(...parts: unknown[]): void {
    this.#keep('error', parts);
  }

  warn(...parts: unknown[]): void {
    this.#keep('warn', parts);
  }

  debug(...parts: unknown[]): void {
    this.#keep('debug', parts);
  }

  verbose(...parts: unknown[]): void {
    this.#keep('verbose', parts);
  }

  fatal(...parts: unknown[]): void {
    this.#keep('fatal', parts);
  }

  #keep(level: LogLine['level'], parts: readonly unknown[]): void {
    this.lines.push({ level, text: parts.map(formatPart).join(' ') });
  }
}

/** Makes a log that is empty at the beginning of each test. */
export function recordEachTest(): RecordedLog {
  const log = new RecordedLog();
  beforeEach(() => log.clear());
  return log;
}

function formatPart(part: unknown): string {
  if (part instanceof Error) return `${part.stack} ${formatPart(part.cause ?? '')}`;
  return typeof part === 'string' ? part : JSON.stringify(part);
}
