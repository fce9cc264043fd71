import { describeFailure } from './describe-failure.js';

/** The part of Nest's `Logger` that logs errors. */
export interface ErrorLogger {
  error(message: string, stack?: string): void;
}

/** Logs an error that belongs to no call, always on one line. */
export function logError(logger: ErrorLogger, failure: unknown, what?: string): void {
  const { text, stack } = describeFailure(failure);
  logger.error(what === undefined ? text : `${what}: ${text}`, stack);
}
