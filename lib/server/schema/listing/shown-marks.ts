import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { deepFreeze } from '../json.js';
import { mapInner } from '../json-schema/find-subschemas.js';

/** The property that marks parts of a converted schema that JSON Schema cannot express; no list shows it. */
export const MARK = '~nestjs-mcp';

/** `date`: accepts a `Date`; `absent`: accepts only `undefined`; otherwise why it cannot be represented. */
export type SchemaMark = 'date' | 'absent' | { readonly problem: string };

/** How a date is listed. */
export const DATE_TEXT: JsonSchema = { type: 'string', format: 'date-time' };

/** Keywords with which a developer describes a type that the library cannot represent. */
const DESCRIBING = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'];

/** The location of a schema part that its library cannot represent. */
export interface Unrepresentable {
  /** Names from the root to the property, joined with dots; empty for the value itself. */
  readonly path: string;
  readonly problem: string;
}

/** Finds the first part of a schema that cannot be represented and that the developer has not described. */
export function findUnrepresentable(schema: unknown, path = ''): Unrepresentable | undefined {
  if (!isObject(schema)) return undefined;
  const problem = readProblem(schema);
  if (problem !== undefined) return { path, problem };
  for (const { inner, name } of listPlaces(schema)) {
    const found = findUnrepresentable(inner, joinPath(path, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function readProblem(schema: JsonSchema): string | undefined {
  const mark = schema[MARK];
  if (mark === 'absent') return 'Undefined cannot be represented in JSON Schema';
  if (!isObject(mark) || DESCRIBING.some((keyword) => keyword in schema)) return undefined;
  return String(mark['problem']);
}

function* listPlaces(schema: JsonSchema): Generator<{ inner: unknown; name?: string }> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (['properties', 'patternProperties', '$defs'].includes(keyword) && isObject(value)) {
      for (const [name, inner] of Object.entries(value)) yield { inner, name };
    } else if (keyword === 'prefixItems' && Array.isArray(value)) {
      for (const [at, inner] of value.entries()) yield { inner, name: String(at) };
    } else if (keyword === 'items') yield { inner: value, name: '*' };
    else if (keyword === 'additionalProperties') yield { inner: value, name: '*' };
    else if (['anyOf', 'oneOf', 'allOf'].includes(keyword) && Array.isArray(value)) {
      for (const inner of value) yield { inner };
    }
  }
}

function joinPath(path: string, name: string | undefined): string {
  if (name === undefined) return path;
  return path === '' ? name : `${path}.${name}`;
}

/** Removes alternatives that only allow an absent value, which JSON does not have. */
export function dropAbsent(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { anyOf, ...others } = mapInner(schema, dropAbsent);
  if (!Array.isArray(anyOf)) return anyOf === undefined ? others : { ...others, anyOf };
  const present = anyOf.filter((inner) => !isObject(inner) || inner[MARK] !== 'absent');
  const [only, second] = present;
  const isSingle =
    isObject(only) && second === undefined && Object.keys(others).every((name) => !(name in only));
  if (isSingle) return { ...only, ...others };
  return { ...others, anyOf: present.length > 0 ? present : anyOf };
}

/** Returns the listed form of a schema. */
export function stripMarks(schema: JsonSchema): JsonSchema {
  return deepFreeze(strip(schema) as JsonSchema);
}

function strip(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { [MARK]: _, ...shown } = mapInner(schema, strip);
  return shown;
}
