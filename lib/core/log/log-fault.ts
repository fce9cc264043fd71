import { describeFailure } from './describe-failure.js';

/** Writes lines of the log, as Nest's `Logger` does. */
export interface FaultLogger {
  error(message: string, stack?: string): void;
}

/** Tells the log that something went wrong that is no call's: on one line, whatever the failure says. */
export function logFault(logger: FaultLogger, failure: unknown, what?: string): void {
  const { text, stack } = describeFailure(failure);
  logger.error(what === undefined ? text : `${what}: ${text}`, stack);
}
