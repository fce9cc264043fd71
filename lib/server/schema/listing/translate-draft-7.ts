import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema, SchemaDirection } from '../compiled-schema.interface.js';
import { findSubschemas, mapInner } from '../json-schema/find-subschemas.js';
import { isAnnotation } from './merge-referenced.js';

/** Keywords that draft-07 does not know: they would begin to mean something. */
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

/** Parts that are elsewhere in draft 2020-12, so that a reference into them would lead nowhere. */
const MOVED = /\/(?:items|additionalItems|dependencies)(?:\/|$)/;

/**
 * Writes a schema that names draft-07 for draft 2020-12, with the same meaning: hosts refuse lists of items, and the name of
 * draft-07 in an output schema. An input schema that reads alike in both keeps its name.
 *
 * @returns the schema itself if it names no dialect or another one, or if its parts have addresses that would change
 */
export function translateDraft7(schema: JsonSchema, direction: SchemaDirection): JsonSchema {
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

/** Nothing beside a `$ref` is checked. */
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
