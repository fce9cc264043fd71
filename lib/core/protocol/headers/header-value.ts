import { decodeBase64, encodeBase64 } from '../base64.js';

/** A value does not fit in a header, or a header does not contain a valid value. It becomes a -32020 response. */
export class HeaderValueError extends Error {
  override readonly name = 'HeaderValueError';
}

/** A value that a header can mirror. */
export type MirroredValue = string | number | boolean;

const PREFIX = '=?base64?';
const SUFFIX = '?=';

const DECIMAL_INTEGER = /^-?\d+(?:\.0*)?$/;

/** Refuses malformed UTF-8 and preserves a byte order mark, so that decoding returns exactly the encoded string. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Formats a value for `Mcp-Name` and `Mcp-Param-*`: unchanged, or as `=?base64?…?=` if plain ASCII would alter it.
 *
 * @example
 * formatHeaderValue('us-west1'); // 'us-west1'
 * formatHeaderValue('Zürich'); // '=?base64?WsO8cmljaA==?='
 *
 * @throws {HeaderValueError} for a number that is not a safe integer, and for a string with half of a surrogate pair
 * @see MCP 2026-07-28 basic/transports, "Value Encoding"
 */
export function formatHeaderValue(value: MirroredValue): string {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatInteger(value);
  if (/\p{Surrogate}/u.test(value)) {
    throw new HeaderValueError(
      'The string contains half of a surrogate pair, which UTF-8 cannot encode: send whole characters',
    );
  }
  return isPlain(value) ? value : `${PREFIX}${encodeBase64(new TextEncoder().encode(value))}${SUFFIX}`;
}

/**
 * Reads the value of an `Mcp-Name` or `Mcp-Param-*` header, without surrounding white space.
 *
 * @example
 * parseHeaderValue('=?base64?WsO8cmljaA==?='); // 'Zürich'
 *
 * @throws {HeaderValueError} if the base64 or the UTF-8 in it is malformed, or a character is not allowed in a header
 * @see MCP 2026-07-28 basic/transports, "Value Encoding"; RFC 9110 §5.5
 */
export function parseHeaderValue(text: string): string {
  const value = trimOptionalWhitespace(text);
  if (isSentinel(value)) return decodeText(value.slice(PREFIX.length, -SUFFIX.length));
  if (/[^\t\x20-\x7e]/.test(value)) {
    throw new HeaderValueError(
      'The header contains a character that is not visible ASCII: send it as "=?base64?…?="',
    );
  }
  return value;
}

/**
 * Returns whether a header matches a value in the body: integers are compared as numbers, anything else exactly. A
 * header that cannot be decoded does not match.
 *
 * @example
 * matchesHeaderValue('42.0', 42); // true
 *
 * @see MCP 2026-07-28 basic/transports, "Server Validation"
 */
export function matchesHeaderValue(text: string, value: MirroredValue): boolean {
  try {
    return isSameValue(parseHeaderValue(text), value);
  } catch (error) {
    if (error instanceof HeaderValueError) return false;
    throw error;
  }
}

/** Compares a decoded header with a value in the body. */
export function isSameValue(decoded: string, value: MirroredValue): boolean {
  // Beyond the safe integers, different decimals can be one number, so they are compared as strings.
  if (Number.isSafeInteger(value) && DECIMAL_INTEGER.test(decoded)) return Number(decoded) === value;
  return decoded === String(value);
}

function formatInteger(value: number): string {
  if (!Number.isSafeInteger(value)) {
    throw new HeaderValueError(
      'The number is not an integer within ±(2^53−1): only such numbers can be sent in a header',
    );
  }
  return String(value);
}

function isPlain(value: string): boolean {
  const isEdged = value.startsWith(' ') || value.endsWith(' ');
  const looksEncoded = value.startsWith(PREFIX) && value.endsWith(SUFFIX);
  return !isEdged && !looksEncoded && !/[^\x20-\x7e]/.test(value);
}

function isSentinel(value: string): boolean {
  return value.length >= PREFIX.length + SUFFIX.length && value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

function decodeText(base64: string): string {
  const bytes = decodeExactly(base64);
  if (bytes === undefined) {
    throw new HeaderValueError(
      'The header is not valid base64 between "=?base64?" and "?=": use the standard alphabet with padding',
    );
  }
  try {
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new HeaderValueError(
      'The header contains base64-encoded bytes that are not UTF-8: encode the string as UTF-8',
      { cause },
    );
  }
}

/** The decoder tolerates white space and missing padding, so only base64 that encodes to the same value again is well-formed. */
function decodeExactly(base64: string): Uint8Array | undefined {
  try {
    const bytes = decodeBase64(base64);
    return encodeBase64(bytes) === base64 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** A loop, because a pattern for trailing white space has quadratic complexity. */
function trimOptionalWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isOptionalWhitespace(text, start)) start++;
  while (end > start && isOptionalWhitespace(text, end - 1)) end--;
  return text.slice(start, end);
}

function isOptionalWhitespace(text: string, index: number): boolean {
  return text[index] === ' ' || text[index] === '\t';
}
