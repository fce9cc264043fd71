import { findUntoldMember } from '../../../core/checks/find-untold-member.js';
import { HandlerResultError } from './handler-result.error.js';

/**
 * Formats what a handler gave as JSON.
 *
 * @throws {HandlerResultError} when JSON refuses it, or would show a member as `{}` that is not empty, or bytes by their places
 */
export function formatJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new HandlerResultError(`A ${typeof value} cannot be sent as JSON`);
  // Few results have an empty object in them, or one whose members are counted, so that few are searched.
  const mayBeWrong = text.includes('{}') || text.includes('{"0":');
  const untold = mayBeWrong ? findUntoldMember(value) : undefined;
  if (untold !== undefined) throw HandlerResultError.untold(untold);
  return text;
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw explainRefusal(value, cause);
  }
}

/** Returns an error that names the part of a value that JSON refuses. If no part is found, returns the error of JSON. */
export function explainRefusal(value: unknown, cause: unknown): unknown {
  const untold = cause instanceof TypeError ? findUntoldMember(value) : undefined;
  return untold === undefined ? cause : HandlerResultError.untold(untold, cause);
}
