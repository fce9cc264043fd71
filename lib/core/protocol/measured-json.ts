import { countValues, type StructureLimits } from './count-values.js';
import { parseJson } from './parse-message.js';

/** Parsed JSON, and an estimate of its memory. */
export interface MeasuredJson {
  readonly value: unknown;
  /** The maximum heap bytes of the value. */
  readonly heapBytes: number;
  /** The bytes of the received message; absent if it was parsed elsewhere. */
  readonly bytes?: number | undefined;
}

/** The maximum heap bytes of each counted value. A number needs 8 bytes. An object with a property of a unique name needs 310. */
const VALUE_BYTES = 112;

/** Messages up to this length are not counted. */
const SHORT = 1024;

/** The assumed structure of a short message: more than twice the usual, and half of the possible. */
const SHORT_FACTOR = 12;

/**
 * Parses a message. Its structure is counted before it is parsed, unless it is too short to exceed the limit.
 *
 * @throws {McpError} -32700 if it is not JSON, -32600 if it has too much structure
 */
export function parseMeasuredJson(message: string | Buffer, bounds: StructureLimits): MeasuredJson {
  const { length } = message;
  if (length <= Math.min(SHORT, bounds.values, 2 * bounds.depth)) {
    const text = message.toString();
    const utf8Bytes = typeof message === 'string' ? Buffer.byteLength(message) : length;
    const heapBytes = estimateText(text, utf8Bytes) * SHORT_FACTOR;
    return { value: parseJson(text), heapBytes, bytes: utf8Bytes };
  }
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  const values = countValues(bytes, bounds);
  const text = message.toString();
  const heapBytes = estimateText(text, bytes.length) + values * VALUE_BYTES;
  return { value: parseJson(text), heapBytes, bytes: bytes.length };
}

/** Estimates the memory of JSON that was parsed elsewhere, without its message. */
export function measureParsedJson(value: unknown, bounds: StructureLimits): MeasuredJson {
  const { heapBytes } = parseMeasuredJson(JSON.stringify(value), bounds);
  return { value, heapBytes };
}

/** Estimates the heap bytes of a string: two for each character as soon as one of them is not ASCII. */
export function estimateText(text: string, utf8Bytes = Buffer.byteLength(text)): number {
  return utf8Bytes === text.length ? text.length : 2 * text.length;
}
