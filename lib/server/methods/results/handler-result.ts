import {
  type UnserializableProperty,
  findUnserializableProperty,
  hasInfiniteNumber,
} from '../../../core/checks/find-unserializable-property.js';
import { isObject } from '../../../core/protocol/json-rpc.js';

/** A handler returned something that cannot be sent as a result. */
export class HandlerResultError extends Error {
  override readonly name = 'HandlerResultError';

  /** Creates an error that names a property that JSON cannot represent. */
  static unserializable({ path, kind, fix }: UnserializableProperty, cause?: unknown): HandlerResultError {
    const what = path === '' ? 'The result' : `"${path}" of the result`;
    return new HandlerResultError(`${what} is ${kind}: return ${fix}`, { cause });
  }
}

/**
 * Asserts an optional property's type.
 *
 * @throws {HandlerResultError} if it is present and has a different type
 */
export function assertType(
  value: unknown,
  type: 'boolean' | 'number' | 'string' | 'object',
  member: string,
): void {
  if (value === undefined || (type === 'object' ? isObject(value) : typeof value === type)) return;
  const expected = type === 'object' ? 'an object' : `a ${type}`;
  throw new HandlerResultError(`The property "${member}" of the result must be ${expected}`);
}

/** The JSON of `{}`, of indices as property names, and of a `Buffer`. */
const TRACES = ['{}', '{"0":', '{"type":"Buffer","data":['];

/**
 * Formats a handler's return value as JSON.
 *
 * @throws {HandlerResultError} if JSON cannot represent the value, or would serialize a property as `{}`, indices or
 * a list of bytes, or a number as `null`
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
 * Checks that the JSON represents the value faithfully.
 *
 * @throws {HandlerResultError} if a property became `{}`, indices or a list of bytes, or a number became `null`
 */
export function assertWritten(value: unknown, text: string): void {
  // Searching a value is slower than searching its JSON, which rarely contains one of these.
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

/** Returns an error that names the part of a value that JSON refuses. If no part is found, returns JSON's error. */
export function explainRefusal(value: unknown, cause: unknown): unknown {
  const found = cause instanceof TypeError ? findUnserializableProperty(value) : undefined;
  return found === undefined ? cause : HandlerResultError.unserializable(found, cause);
}
