import { isObject } from './json-rpc.js';

/** A parsed JSON object with unchecked properties. */
export type JsonObject = { readonly [member: string]: unknown };

/** Parses a JSON object. Returns `undefined` for anything else, or if it is not UTF-8. A byte order mark is skipped. */
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
