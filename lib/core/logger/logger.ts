import { Logger as NestLogger, type LoggerService } from '@nestjs/common';
import { describeFailure } from '../log/describe-failure.js';
import { redactCredentials } from '../log/escape-text.js';
import { isPromiseLike } from '../async/promises.js';
import { OncePerMinute } from '../async/rate-limits.js';

type Level = 'log' | 'error' | 'warn' | 'debug' | 'verbose' | 'fatal';
type Write = (...line: unknown[]) => unknown;

const LEVELS: readonly Level[] = ['log', 'error', 'warn', 'debug', 'verbose', 'fatal'];

const guarded = new WeakMap<LoggerService, LoggerService>();
const reports = new OncePerMinute();

/**
 * Nest's logger. If the application's `LoggerService` throws or rejects, the caller continues. URL credentials are
 * removed from every line.
 */
export class Logger extends NestLogger {
  override get localInstance(): LoggerService {
    // With `logger: false`, there is no logger.
    const service = super.localInstance as LoggerService | undefined;
    if (service === undefined) return super.localInstance;
    const known = guarded.get(service) ?? guard(service);
    guarded.set(service, known);
    return known;
  }
}

function guard(service: LoggerService): LoggerService {
  const writers = LEVELS.map((level) => [level, (...line: unknown[]) => write(service, level, line)]);
  return Object.fromEntries(writers) as LoggerService;
}

function write(service: LoggerService, level: Level, line: readonly unknown[]): void {
  try {
    const written = (service[level] as Write | undefined)?.call(service, ...line.map(redact));
    if (isPromiseLike(written)) Promise.resolve(written).catch(report);
  } catch (error) {
    report(error);
  }
}

function redact(part: unknown): unknown {
  return typeof part === 'string' ? redactCredentials(part) : part;
}

/** It cannot be reported anywhere else. */
function report(failure: unknown): void {
  if (!reports.isDue('logger')) return;
  const line = `The application's logger failed: ${describeFailure(failure).text}`;
  process.stderr.write(`${line}\n`);
}
