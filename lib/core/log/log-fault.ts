import { describeFailure } from './describe-failure.js';

/** Writes lines of the log, as Nest's `Logger` does. */
export interface FaultLogger {
  error(message: string, stack?: string): void;
}

/** Logs an error that belongs to no call, always on one line. */
export function logFault(logger: FaultLogger, failure: unknown, what?: string): void {
  const { text, stack } = describeFailure(failure);
  logger.error(what === undefined ? text : `${what}: ${text}`, stack);
}
