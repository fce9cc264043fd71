import type { JsonSchema } from '../compiled-schema.interface.js';
import { decodeFragment } from '../../../core/protocol/json-pointer.js';

/** Gives the JSON Pointer of what a schema refers to in its own document, or nothing for any other reference. */
export function readReference({ $ref }: JsonSchema): string | undefined {
  if (typeof $ref !== 'string' || !/^#(?:\/|$)/.test($ref)) return undefined;
  return decodeFragment($ref.slice(1));
}
