import { isUtf8 } from 'node:buffer';
import { parseJsonObject, type JsonObject } from '../../core/protocol/parse-json-object.js';

/**
 * Reads a JSON object byte for byte; gives nothing if it is none. Texts that differ in bytes that are no UTF-8, or in a byte
 * order mark, would become the same, so there are none of these.
 */
export function parseExactObject(bytes: Buffer): JsonObject | undefined {
  return isUtf8(bytes) ? parseJsonObject(bytes.toString()) : undefined;
}
