import { McpError } from './mcp.error.js';

/** Limits of a message's structure, which costs more memory and time than its length. */
export interface StructureLimits {
  /** Values; each object and each array counts twice. */
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
 * Counts the values of JSON in one pass, without building any. Invalid JSON yields an arbitrary number.
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
    `the message has more than ${most} values: send fewer, or have "limits.bodyValues" raised`,
    413,
  );
}

function createTooDeepError(deepest: number): McpError {
  return McpError.invalidRequest(
    `the message is nested more than ${deepest} deep: flatten it, or have "limits.bodyDepth" raised`,
  );
}
