import { SCHEMA_MAPS } from '../../../core/protocol/json-schema.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';

/** The address of a schema without an `$id`. */
const ROOT_ADDRESS = 'schema:///root';

const SCHEMA_KEYWORDS = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LIST_KEYWORDS = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];

/** A nested schema, and the absolute address of the resource that it belongs to. */
export interface Subschema {
  readonly keywords: JsonSchema;
  readonly address: string;
}

/** Walks a schema and every nested schema; `enum`, `const`, `default` and `examples` contain values, not schemas. */
export function* findSubschemas(schema: unknown, outer = ROOT_ADDRESS): Generator<Subschema> {
  if (!isObject(schema)) return;
  const address = resolveAddress(schema['$id'], outer);
  yield { keywords: schema, address };
  for (const inner of listInner(schema)) yield* findSubschemas(inner, address);
}

/** Returns the direct subschemas of a schema, including definitions. */
export function* listInner(schema: JsonSchema): Generator<unknown> {
  for (const keyword of SCHEMA_KEYWORDS) yield schema[keyword];
  for (const keyword of LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list)) yield* list;
  }
  for (const keyword of SCHEMA_MAPS) {
    const map = schema[keyword];
    if (isObject(map)) yield* Object.values(map);
  }
}

/** Copies a schema, replacing each direct subschema. */
export function mapInner(schema: JsonSchema, map: (inner: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, map)]),
  );
}

function mapKeyword(keyword: string, value: unknown, map: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return LIST_KEYWORDS.includes(keyword) ? value.map(map) : value;
  if (SCHEMA_KEYWORDS.includes(keyword)) return map(value);
  if (!SCHEMA_MAPS.has(keyword) || !isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, map(inner)]));
}

function resolveAddress(id: unknown, outer: string): string {
  if (typeof id !== 'string' || id.startsWith('#') || !URL.canParse(id, outer)) return outer;
  return new URL(id, outer).href.replace(/#$/, '');
}
