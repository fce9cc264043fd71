import type { JsonSchema } from '../compiled-schema.interface.js';
import { decodeFragment } from '../../../core/protocol/json-pointer.js';

/** Returns the JSON Pointer of a reference within the same document, or `undefined` for any other reference. */
export function readReference({ $ref }: JsonSchema): string | undefined {
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return undefined;
  return decodeFragment($ref.slice(1));
}
