import type { Logger } from '../../core/logger/logger.js';
import { describeFailure } from '../../core/log/describe-failure.js';
import { formatLine, type LogSubject } from './format-line.js';

/** Tells the log that something about a request went wrong. */
export function logFailure(
  logger: Pick<Logger, 'error'>,
  what: string,
  { failure, subject }: { readonly failure: unknown; readonly subject: LogSubject },
): void {
  const { text, stack } = describeFailure(failure);
  logger.error(formatLine(`${what}: ${text}`, subject), stack);
}
