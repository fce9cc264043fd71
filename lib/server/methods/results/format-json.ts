import { findUnserializableMember } from '../../../core/checks/find-unserializable-member.js';
import { HandlerResultError } from './handler-result.error.js';

/** How JSON writes `{}`, indices as the names of members, and a `Buffer`. */
const TRACES = ['{}', '{"0":', '{"type":"Buffer","data":['];

/**
 * Formats what a handler gave as JSON.
 *
 * @throws {HandlerResultError} when JSON refuses it, or would write a member as `{}`, by indices or as a list of bytes
 */
export function formatJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) {
    throw new HandlerResultError(
      `A ${typeof value} cannot be sent as JSON: return an object, an array, a string, a number, a boolean or null`,
    );
  }
  // To search a value takes longer than to search its text, and few texts have one of these.
  const mayBeWrong = TRACES.some((trace) => text.includes(trace));
  const found = mayBeWrong ? findUnserializableMember(value) : undefined;
  if (found !== undefined) throw HandlerResultError.unserializable(found);
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
  const found = cause instanceof TypeError ? findUnserializableMember(value) : undefined;
  return found === undefined ? cause : HandlerResultError.unserializable(found, cause);
}
