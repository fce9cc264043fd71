import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { findSubschemas, mapInner } from '../json-schema/find-subschemas.js';
import { deepFreeze } from '../json.js';
import { isAnnotation } from './inline-references.js';

/** Keywords unknown to draft-07, which would gain a meaning. */
const UNKNOWN = [
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  'dependentRequired',
  'dependentSchemas',
  'maxContains',
  'minContains',
  'prefixItems',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** Keywords renamed in draft 2020-12, which would break references into them. */
const MOVED = /\/(?:items|additionalItems|dependencies)(?:\/|$)/;

/**
 * Translates a draft-07 schema to draft 2020-12 without changing its meaning, because hosts refuse tuples in `items`
 * and draft-07 output schemas. An input schema that is equal in both stays draft-07.
 *
 * @returns the schema itself if it names no dialect or another one, or if its parts have addresses that would change
 */
function translateDraft7(schema: JsonSchema, direction: SchemaDirection): JsonSchema {
  const { $schema, ...others } = schema;
  if (!String($schema).includes('/draft-07/') || hasFixedAddresses(schema)) return schema;
  const translated = translate(others) as JsonSchema;
  return direction === 'input' && isDeepStrictEqual(translated, others) ? schema : translated;
}

function hasFixedAddresses(schema: JsonSchema): boolean {
  return [...findSubschemas(schema)].some(
    ({ keywords: { $id, $ref } }) => $id !== undefined || (typeof $ref === 'string' && MOVED.test($ref)),
  );
}

function translate(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { items, additionalItems, dependencies, ...others } = mapInner(schema, translate);
  const known = Object.entries(others).filter(([keyword]) => isKept(keyword, schema));
  return {
    ...Object.fromEntries(known),
    ...('$ref' in schema
      ? {}
      : { ...translateItems(items, additionalItems), ...splitDependencies(dependencies) }),
  };
}

/** Draft-07 ignores keywords next to a `$ref`. */
function isKept(keyword: string, schema: JsonSchema): boolean {
  if ('$ref' in schema) return keyword === '$ref' || keyword === 'definitions' || isAnnotation(keyword);
  return !UNKNOWN.includes(keyword);
}

function translateItems(items: unknown, rest: unknown): JsonSchema {
  if (items === undefined) return {};
  if (!Array.isArray(items)) return { items };
  return { prefixItems: items, items: rest ?? {} };
}

function splitDependencies(dependencies: unknown): JsonSchema {
  if (!isObject(dependencies)) return {};
  const entries = Object.entries(dependencies);
  const groups = {
    dependentRequired: entries.filter(([, value]) => Array.isArray(value)),
    dependentSchemas: entries.filter(([, value]) => !Array.isArray(value)),
  };
  const filled = Object.entries(groups).filter(([, group]) => group.length > 0);
  return Object.fromEntries(filled.map(([keyword, group]) => [keyword, Object.fromEntries(group)]));
}

/** Hosts read and write these as booleans: strict mode in OpenAI's API requires `additionalProperties: false`. */
const BOOLEANS = ['additionalProperties', 'unevaluatedProperties'];

/** Handlers that share a schema share its listed form. */
const listed = {
  input: new WeakMap<JsonSchema, JsonSchema>(),
  output: new WeakMap<JsonSchema, JsonSchema>(),
};

/**
 * Writes a schema in the form that model APIs and both official clients accept, without changing its meaning. An
 * input schema's root has `properties`, and a boolean subschema becomes an object: `true` is `{}`, `false` is `{ not:
 * {} }`. A tuple uses the draft 2020-12 form and has `items`, because arrays without them are refused.
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

/**
 * Version 1 of the official client applies `items` to all items, as in draft-07, and would reject every tuple without
 * additional items.
 */
function describeRest({ prefixItems, items, maxItems }: JsonSchema): JsonSchema {
  if (!Array.isArray(prefixItems)) return {};
  if (items === undefined) return { items: {} };
  if (items !== false) return {};
  const { length } = prefixItems;
  return { items: {}, maxItems: typeof maxItems === 'number' ? Math.min(maxItems, length) : length };
}
