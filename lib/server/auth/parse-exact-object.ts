import { isUtf8 } from 'node:buffer';
import { parseJsonObject, type JsonObject } from '../../core/protocol/parse-json-object.js';

/**
 * Reads a JSON object byte for byte. Returns `undefined` if the text is something else. Invalid UTF-8 and byte order
 * marks are refused, because texts that differ only in them would become the same.
 */
export function parseExactObject(bytes: Buffer): JsonObject | undefined {
  return isUtf8(bytes) ? parseJsonObject(bytes.toString()) : undefined;
}
