import { isObject } from '../../protocol/json-rpc.js';

/** Reads a JSON object; gives nothing where that is none, or bytes are not UTF-8. */
export function parseJsonObject(
  source: string | ArrayBuffer,
): { readonly [member: string]: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(typeof source === 'string' ? source : decode(source));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function decode(bytes: ArrayBuffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
