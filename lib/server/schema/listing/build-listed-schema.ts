import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { mapInner } from '../json-schema/find-subschemas.js';
import { deepFreeze } from '../json.js';
import { translateDraft7 } from './translate-draft-7.js';

/** Hosts read and write these as booleans: the strict mode of OpenAI's API requires `additionalProperties: false`. */
const BOOLEANS = ['additionalProperties', 'unevaluatedProperties'];

/** Handlers that share a schema share what is listed of it. */
const listed = {
  input: new WeakMap<JsonSchema, JsonSchema>(),
  output: new WeakMap<JsonSchema, JsonSchema>(),
};

/**
 * Writes a schema in the form that the APIs of models and both official clients accept, with the same meaning. The root of an
 * input schema has `properties`, and a boolean subschema becomes an object: `true` is `{}`, `false` is `{ not: {} }`. A tuple
 * is one of draft 2020-12, and has `items`, since arrays without them are refused.
 */
export function buildListedSchema(schema: JsonSchema, direction: SchemaDirection): JsonSchema {
  const known = listed[direction].get(schema);
  if (known !== undefined) return known;
  const rewritten = rewrite(translateDraft7(schema, direction)) as JsonSchema;
  const built = deepFreeze(direction === 'input' ? addProperties(rewritten) : rewritten);
  listed[direction].set(schema, built);
  return built;
}

function addProperties(schema: JsonSchema): JsonSchema {
  if (Object.hasOwn(schema, 'properties')) return schema;
  const { type, ...others } = schema;
  return { type, properties: {}, ...others };
}

function rewrite(schema: unknown): unknown {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return schema;
  const rewritten = mapInner(schema, rewrite);
  for (const keyword of BOOLEANS) {
    if (typeof schema[keyword] === 'boolean') rewritten[keyword] = schema[keyword];
  }
  return { ...rewritten, ...describeRest(schema) };
}

/** Version 1 of the official client reads `items` as draft-07 does, for all items: it would refuse every tuple without a rest. */
function describeRest({ prefixItems, items, maxItems }: JsonSchema): JsonSchema {
  if (!Array.isArray(prefixItems)) return {};
  if (items === undefined) return { items: {} };
  if (items !== false) return {};
  const { length } = prefixItems;
  return { items: {}, maxItems: typeof maxItems === 'number' ? Math.min(maxItems, length) : length };
}
