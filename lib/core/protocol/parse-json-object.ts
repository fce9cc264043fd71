import { isObject } from './json-rpc.js';

/** A JSON object as it came, its members unchecked. */
export type JsonObject = { readonly [member: string]: unknown };

/** Reads a JSON object. Returns `undefined` if the text is something else, or is not UTF-8. A byte order mark before them is left out. */
export function parseJsonObject(source: string | ArrayBuffer | Uint8Array): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(typeof source === 'string' ? source : decode(source));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
