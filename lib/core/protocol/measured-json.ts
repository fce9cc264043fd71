import { McpError } from './mcp.error.js';
import { parseJson } from './parse-message.js';

/** Parsed JSON, and an estimate of its memory. */
export interface MeasuredJson {
  readonly value: unknown;
  /** The maximum number of heap bytes that the value may use. */
  readonly heapBytes: number;
  /** The bytes of the received message; absent if it was parsed elsewhere. */
  readonly bytes?: number | undefined;
}

/**
 * The maximum number of heap bytes per counted value. A number needs 8 bytes. An object with a uniquely named
 * property needs 310.
 */
const VALUE_BYTES = 112;

/** In messages up to this length, values are not counted. */
const SHORT = 1024;

/**
 * The assumed number of values in a short message: more than twice the usual number, and half of the maximum.
 */
const SHORT_FACTOR = 12;

/**
 * Parses a message. Its values are counted before it is parsed, unless it is too short to exceed the limit.
 *
 * @throws {McpError} -32700 if it is not JSON, -32600 if it contains too many nested values
 */
export function parseMeasuredJson(message: string | Buffer, limits: StructureLimits): MeasuredJson {
  const { length } = message;
  if (length <= Math.min(SHORT, limits.values, 2 * limits.depth)) {
    const text = message.toString();
    const utf8Bytes = typeof message === 'string' ? Buffer.byteLength(message) : length;
    const heapBytes = estimateText(text, utf8Bytes) * SHORT_FACTOR;
    return { value: parseJson(text), heapBytes, bytes: utf8Bytes };
  }
  const bytes = typeof message === 'string' ? Buffer.from(message) : message;
  const values = countValues(bytes, limits);
  const text = message.toString();
  const heapBytes = estimateText(text, bytes.length) + values * VALUE_BYTES;
  return { value: parseJson(text), heapBytes, bytes: bytes.length };
}

/** Estimates the memory of JSON that was parsed elsewhere, without its message. */
export function measureParsedJson(value: unknown, limits: StructureLimits): MeasuredJson {
  const { heapBytes } = parseMeasuredJson(JSON.stringify(value), limits);
  return { value, heapBytes };
}

/** Estimates a string's heap bytes: two per character as soon as one of them is not ASCII. */
export function estimateText(text: string, utf8Bytes = Buffer.byteLength(text)): number {
  return utf8Bytes === text.length ? text.length : 2 * text.length;
}

/** Limits on a message's values and nesting, which cost more memory and time than its length. */
export interface StructureLimits {
  /** The number of values; each object and each array counts twice. */
  readonly values: number;
  /** The nesting depth of objects and arrays. */
  readonly depth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the values in JSON in one pass, without building any of them. Invalid JSON yields an arbitrary number.
 */
export function countValues(json: Uint8Array, { values: most, depth: deepest }: StructureLimits): number {
  let values = 1;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE:
        at = findQuote(json, at + 1);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values += 1;
        depth += 1;
        if (depth > deepest) throw createTooDeepError(deepest);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      default:
    }
    if (values > most) throw createTooManyError(most);
  }
  return values;
}

/** Most strings are short, and checking their bytes one by one is faster than a search. */
const NEAR = 64;

/** Finds the quote that ends a string. */
function findQuote(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length) {
    const near = Math.min(at + NEAR, json.length);
    for (; at < near; at += 1) {
      const byte = json[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    const quote = json.indexOf(QUOTE, at);
    if (quote === -1) return json.length;
    if (!isEscaped(json, at, quote)) return quote;
    at = quote + 1;
  }
  return at;
}

/** A quote is part of the string after an odd number of backslashes. */
function isEscaped(json: Uint8Array, from: number, quote: number): boolean {
  let before = quote;
  while (before > from && json[before - 1] === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 1;
}

function createTooManyError(most: number): McpError {
  return McpError.invalidRequest(
    `the message has more than ${most} values: send fewer, or have the server raise "limits.bodyValues"`,
    413,
  );
}

function createTooDeepError(deepest: number): McpError {
  return McpError.invalidRequest(
    `the message is nested more than ${deepest} deep: flatten it, or have the server raise "limits.bodyDepth"`,
  );
}
