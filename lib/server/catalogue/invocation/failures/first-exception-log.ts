import { Logger } from '../../../../core/logger/logger.js';
import { describeFailure } from '../../../../core/log/describe-failure.js';
import { formatLine } from '../../../log/format-line.js';
import type { HandlerCall } from '../handler-call.js';
import { isExpected } from './is-expected.js';

const logger = new Logger('McpHandlers');

/** What a call comes to after its filter. */
export type Outcome = { readonly failure: unknown } | { readonly value: unknown };

/**
 * Logs the first exception of a call if a filter replaces it. Callers and later reports are also told about the first one.
 * What a filter answers on purpose is no error of the application.
 */
export function logFirstException({ context }: HandlerCall, exception: unknown, outcome: Outcome): void {
  // A cancelled call gets no answer, and is not an error.
  if (('failure' in outcome && outcome.failure === exception) || context.signal.aborted) return;
  try {
    const { text, stack } = describeFailure(exception);
    const line = formatLine(`A call failed before its exception filter: ${text}`, context);
    if (isMeant(exception, outcome)) logger.debug(line, stack);
    else logger.error(line, stack);
  } catch {
    // A logger that throws keeps no caller from its answer.
  }
}

/** An answer without a value loses what went wrong, unless it is meant for callers. */
function isMeant(exception: unknown, outcome: Outcome): boolean {
  if ('failure' in outcome) return isExpected(outcome.failure);
  return outcome.value !== undefined || isExpected(exception);
}
