import { isObject } from '../../core/protocol/json-rpc.js';
import type { JsonSchema } from './compiled-schema.interface.js';
import { followReference } from '../../core/protocol/json-pointer.js';

/** What a schema says of the members of an object. */
export interface ListedObject {
  readonly names: readonly string[];
  readonly required: readonly unknown[];
  /** Whether the object may have no members of other names. */
  readonly isClosed: boolean;
}

/**
 * Finds what a schema says of an object inside the value it describes.
 *
 * @param path names and positions from the root of the value to the object
 * @returns nothing if no object is described, or one that is too involved to tell
 */
export function findListedObject(schema: JsonSchema, path: readonly PropertyKey[]): ListedObject | undefined {
  const found = path.reduce<unknown>((outer, segment) => findMember(schema, outer, segment), schema);
  const object = followReference(schema, found);
  if (!isObject(object) || object['type'] !== 'object') return undefined;
  const { properties, required, additionalProperties } = object;
  return {
    names: isObject(properties) ? Object.keys(properties) : [],
    required: Array.isArray(required) ? required : [],
    isClosed: additionalProperties === false,
  };
}

function findMember(root: JsonSchema, schema: unknown, segment: PropertyKey): unknown {
  const object = followReference(root, schema);
  if (!isObject(object)) return undefined;
  const { properties, items } = object;
  if (isObject(properties) && Object.hasOwn(properties, segment)) return properties[String(segment)];
  return /^\d+$/.test(String(segment)) ? items : undefined;
}
