import {
  type UnserializableProperty,
  findUnserializableProperty,
  hasInfiniteNumber,
} from '../../../core/checks/find-unserializable-property.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

/** A handler gave something that cannot be sent as a result. */
export class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError';

  /** Names the member of a result that JSON cannot represent. */
  static unserializable({ path, kind, fix }: UnserializableProperty, cause?: unknown): HandlerResultError {
    const what = path === '' ? 'The result' : `"${path}" of the result`;
    return new HandlerResultError(`${what} is ${kind}: return ${fix}`, { cause });
  }
}

/**
 * Checks a member that a result may have or lack.
 *
 * @throws {HandlerResultError} if it is there and of another type
 */
export function assertType(
  value: unknown,
  type: 'boolean' | 'number' | 'string' | 'object',
  member: string,
): void {
  if (value === undefined || (type === 'object' ? isObject(value) : typeof value === type)) return;
  const expected = type === 'object' ? 'an object' : `a ${type}`;
  throw new HandlerResultError(`The member "${member}" of the result must be ${expected}`);
}

/** How JSON writes `{}`, indices as the names of members, and a `Buffer`. */
const TRACES = ['{}', '{"0":', '{"type":"Buffer","data":['];

/**
 * Formats what a handler gave as JSON.
 *
 * @throws {HandlerResultError} when JSON refuses it, or would write a member as `{}`, by indices, as a list of bytes, or a
 *   number as `null`
 */
export function formatJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) {
    throw new HandlerResultError(
      `A ${typeof value} cannot be sent as JSON: return an object, an array, a string, a number, a boolean or null`,
    );
  }
  assertWritten(value, text);
  return text;
}

/**
 * Checks that JSON has written what a value says.
 *
 * @throws {HandlerResultError} if a member became `{}`, indices, a list of bytes, or a number `null`
 */
export function assertWritten(value: unknown, text: string): void {
  // To search a value takes longer than to search its text, and few texts have one of these.
  const isSuspicious =
    TRACES.some((trace) => text.includes(trace)) || (text.includes('null') && hasInfiniteNumber(value));
  if (!isSuspicious) return;
  const found = findUnserializableProperty(value);
  if (found !== undefined) throw HandlerResultError.unserializable(found);
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
  const found = cause instanceof TypeError ? findUnserializableProperty(value) : undefined;
  return found === undefined ? cause : HandlerResultError.unserializable(found, cause);
}
