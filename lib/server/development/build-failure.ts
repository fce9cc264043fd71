import { describeFailure } from '../../core/log/describe-failure.js';
import type { FailureReport } from '../../core/development/report.interface.js';

/** A message that a call fails with is read, not stored. */
const LONGEST = 4000;

/** Describes an error and its call. */
export function buildFailure(
  failure: unknown,
  call: Pick<FailureReport, 'server' | 'method' | 'target'> = {},
): FailureReport {
  const { text, message = text, stack = '' } = describeFailure(failure);
  return {
    type: 'failure',
    ...call,
    name: readName(failure),
    message: message.slice(0, LONGEST),
    stack: stack.slice(0, LONGEST * 4),
  };
}

/** Any value can be thrown, even one that throws when it is read. */
function readName(failure: unknown): string {
  try {
    const name: unknown = failure instanceof Error ? failure.name : typeof failure;
    return typeof name === 'string' ? name : 'Error';
  } catch {
    return 'unknown';
  }
}
