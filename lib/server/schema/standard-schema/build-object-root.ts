import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { findByReference } from '../../../core/protocol/json-pointer.js';
import { SchemaError } from '../schema.error.js';

const MOST_STEPS = 16;

/**
 * Returns an input schema the `type: "object"` that every revision wants at its root. A union of objects, which
 * libraries write as `anyOf` or `oneOf` alone, means the same with it.
 *
 * @throws {SchemaError} when the schema takes anything but objects
 * @see MCP 2026-07-28 server/tools
 */
export function buildObjectRoot(schema: JsonSchema): JsonSchema {
  if (schema['type'] === 'object') return schema;
  if (!takesObjectsAlone(schema, schema)) throw SchemaError.notAnObject('input', schema['type']);
  return Object.freeze({ type: 'object', ...schema });
}

function takesObjectsAlone(schema: unknown, root: JsonSchema, steps = 0): boolean {
  if (!isObject(schema) || steps > MOST_STEPS) return false;
  const { type, anyOf, oneOf, allOf, $ref } = schema;
  if (type !== undefined) return type === 'object';
  const accepts = (inner: unknown) => takesObjectsAlone(inner, root, steps + 1);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives) && alternatives.length > 0) return alternatives.every(accepts);
  if (Array.isArray(allOf)) return allOf.some(accepts);
  return $ref !== undefined && accepts(findByReference(root, $ref));
}
