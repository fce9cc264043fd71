import { isObject } from '../../lib/core/protocol/json-rpc.js';

/** A JSON Schema as a server sent it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The types of JSON. */
export type JsonType = 'null' | 'boolean' | 'number' | 'integer' | 'array' | 'object' | 'string';

/** The types and values that a schema accepts. */
export interface AcceptedValues {
  /** The types; empty if the schema does not specify any. */
  readonly types: ReadonlySet<JsonType>;
  /** The values, if the schema enumerates them. */
  readonly values: readonly unknown[] | undefined;
  /** The schema of a list's items. */
  readonly items: JsonSchema;
}

/** The depth limit for recursive schemas. */
const DEEPEST = 16;

/** Without a limit, a schema that refers to itself in several alternatives would be expanded forever. */
const MOST_SCHEMAS = 1000;

const TYPES: ReadonlySet<unknown> = new Set<JsonType>([
  'null',
  'boolean',
  'number',
  'integer',
  'array',
  'object',
  'string',
]);

/** Lists a schema's alternatives, following references. */
export function listBranches(schema: unknown, root: JsonSchema): readonly JsonSchema[] {
  return collectBranches(schema, { root, left: MOST_SCHEMAS }, 0);
}

/** Reads the types and values that a schema accepts, following references and alternatives. */
export function readAcceptedValues(schema: unknown, root: JsonSchema): AcceptedValues {
  const branches = listBranches(schema, root);
  const values = branches.map(readValues);
  const areListed = branches.length > 0 && values.every((listed) => listed !== undefined);
  const items = branches.map((branch) => branch['items']).find(isObject) ?? {};
  return {
    types: new Set(branches.flatMap(readTypes)),
    values: areListed ? values.flat() : undefined,
    items,
  };
}

/** The options of the search for alternatives. */
interface Search {
  readonly root: JsonSchema;
  /** The number of schemas that may still be read. */
  left: number;
}

/** Returns the alternatives of a schema, each combined with the schema's own keywords. */
function collectBranches(given: unknown, search: Search, depth: number): readonly JsonSchema[] {
  const schema = resolveReference(given, search.root);
  search.left -= 1;
  if (schema === undefined || depth > DEEPEST || search.left < 0) return [];
  const collect = (one: unknown) => collectBranches(one, search, depth + 1);
  const alternatives = [schema['anyOf'], schema['oneOf']].find(Array.isArray) as unknown[] | undefined;
  if (alternatives !== undefined) return alternatives.flatMap(collect);
  const parts = Array.isArray(schema['allOf']) ? (schema['allOf'] as unknown[]) : [];
  if (parts.length === 0) return [schema];
  return [schema, ...parts.flatMap(collect)].filter(
    (branch) => readTypes(branch).length > 0 || readValues(branch) !== undefined,
  );
}

/** Resolves a reference within the schema. Remote schemas are never fetched. */
export function resolveReference(given: unknown, root: JsonSchema): JsonSchema | undefined {
  let schema = given;
  for (let hop = 0; hop < DEEPEST; hop += 1) {
    if (!isObject(schema)) return undefined;
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return schema;
    if (!reference.startsWith('#')) return undefined;
    schema = followPointer(root, decodeFragment(reference.slice(1)));
  }
  return undefined;
}

/** Decodes percent encoding. A fragment with invalid encoding is returned unchanged, and matches nothing. */
function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function followPointer(root: JsonSchema, pointer: string): unknown {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isThere ? (value as JsonSchema)[name] : undefined;
  }, root);
}

/** Reads the values that a schema enumerates. */
export function readValues(schema: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

/** Reads the types that a schema specifies, or its values' types. */
export function readTypes(schema: JsonSchema): readonly JsonType[] {
  const named = [schema['type']].flat().filter((type): type is JsonType => TYPES.has(type));
  return named.length > 0 ? named : (readValues(schema) ?? []).map(findType);
}

function findType(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'boolean' | 'number' | 'object' | 'string';
}
