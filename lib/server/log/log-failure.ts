import { randomBytes } from 'node:crypto';
import { describeFailure } from '../../core/log/describe-failure.js';
import type { Logger } from '../../core/logger/logger.js';
import { formatLine, type LogSubject } from './format-line.js';

/** Logs a failure that is related to a request. */
export function logFailure(
  logger: Pick<Logger, 'error'>,
  what: string,
  { failure, subject }: { readonly failure: unknown; readonly subject: LogSubject },
): void {
  const { text, stack } = describeFailure(failure);
  logger.error(formatLine(`${what}: ${text}`, subject), stack);
}

/** Logs a request's error. Returns the incident id for the caller, which identifies the log line. */
export function logIncident(logger: Pick<Logger, 'error'>, failure: unknown, subject: LogSubject): string {
  const incident = randomBytes(6).toString('hex');
  const { text, stack } = describeFailure(failure);
  logger.error(formatLine(`Incident ${incident}: ${text}`, subject), stack);
  return incident;
}
