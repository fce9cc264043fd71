import { countValues, type StructureBounds } from './count-values.js';
import { parseJson } from './parse-message.js';

/** JSON that was parsed, and what it takes to keep it. */
export interface MeasuredJson {
  readonly value: unknown;
  /** Bytes of heap that the value takes, at most. */
  readonly heapBytes: number;
  /** Bytes of the message as it came; absent if somebody else has parsed it. */
  readonly bytes?: number | undefined;
}

/** The most bytes of each counted value. A number takes 8 bytes. An object with a member of a unique name takes 310. */
const VALUE_BYTES = 112;

/** Bytes up to which nothing is counted. */
const SHORT = 1024;

/** The assumed structure of a short text: more than twice the usual, and half of the possible. */
const SHORT_FACTOR = 12;

/**
 * Parses a message. Its structure is counted before it is parsed. A message that is too short to exceed the bound is not
 * counted.
 *
 * @throws {McpError} -32700 if it is not JSON, -32600 if it has too much structure
 */
export function parseMeasuredJson(message: string | Buffer, bounds: StructureBounds): MeasuredJson {
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

/** Measures JSON that somebody else has parsed already, as far as that can be. */
export function measureParsedJson(value: unknown, bounds: StructureBounds): MeasuredJson {
  const { heapBytes } = parseMeasuredJson(JSON.stringify(value), bounds);
  return { value, heapBytes };
}

/** Returns the bytes of heap that a text takes: two for each character as soon as one of them is not of ASCII. */
export function estimateText(text: string, utf8Bytes = Buffer.byteLength(text)): number {
  return utf8Bytes === text.length ? text.length : 2 * text.length;
}
