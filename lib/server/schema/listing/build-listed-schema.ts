import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { mapInner } from '../json-schema/find-subschemas.js';
import { deepFreeze } from '../json.js';

/** Hosts read and write these as booleans: the strict mode of OpenAI's API requires `additionalProperties: false`. */
const BOOLEANS = ['additionalProperties', 'unevaluatedProperties'];

/** Handlers that share a schema share what is listed of it. */
const listed = {
  input: new WeakMap<JsonSchema, JsonSchema>(),
  output: new WeakMap<JsonSchema, JsonSchema>(),
};

/**
 * Writes a schema in the form that the APIs of models and both official clients accept, with the same meaning. The root of
 * an input schema has `properties`, and a boolean subschema becomes an object: `true` is `{}`, `false` is `{ not: {} }`.
 */
export function buildListedSchema(schema: JsonSchema, direction: SchemaDirection): JsonSchema {
  const known = listed[direction].get(schema);
  if (known !== undefined) return known;
  const built = deepFreeze(addProperties(replaceBooleans(schema) as JsonSchema, direction));
  listed[direction].set(schema, built);
  return built;
}

function addProperties(schema: JsonSchema, direction: SchemaDirection): JsonSchema {
  if (direction === 'output' || Object.hasOwn(schema, 'properties')) return schema;
  const { type, ...others } = schema;
  return { type, properties: {}, ...others };
}

function replaceBooleans(schema: unknown): unknown {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return schema;
  const replaced = mapInner(schema, replaceBooleans);
  for (const keyword of BOOLEANS) {
    if (typeof schema[keyword] === 'boolean') replaced[keyword] = schema[keyword];
  }
  return replaced;
}
