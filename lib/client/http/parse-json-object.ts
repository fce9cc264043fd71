import { isObject } from '../../protocol/json-rpc.js';

/** Reads a JSON object; gives nothing where the text is none. */
export function parseJsonObject(text: string): { readonly [member: string]: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
